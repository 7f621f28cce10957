/* Tells ThreadSanitizer what the standard library's locks order.
 *
 * The standard library comes compiled without the sanitizer. What of it is generic or inline is compiled again with the
 * program, and so seen: the quick paths of locks among it. These functions are not. Each is called through a wrapper
 * (`ld --wrap`), which says what the function does to the order of threads, and adds no order that the function itself
 * does not establish. `.ci/tsan` finds the symbols and gives them as macros.
 */
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define JOIN(a, b) a##b
#define WRAPPER(symbol) JOIN(__wrap_, symbol)
#define REAL(symbol) JOIN(__real_, symbol)

/* Mutex::lock_contended(&self): the lock is taken. */
void REAL(MUTEX_LOCK)(void *mutex);
void WRAPPER(MUTEX_LOCK)(void *mutex) {
    REAL(MUTEX_LOCK)(mutex);
    __tsan_acquire(mutex);
}

/* Condvar::wait(&self, mutex): the lock is given back, and taken again. */
void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAPPER(CONDVAR_WAIT)(void *condvar, void *mutex) {
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

/* Once::call(&self, ignore_poisoning, f, vtable): what `f` has done is seen by all that come later. */
void REAL(ONCE_CALL)(void *once, _Bool ignore_poisoning, void *data, void *vtable, void *location);
void WRAPPER(ONCE_CALL)(void *once, _Bool ignore_poisoning, void *data, void *vtable, void *location) {
    REAL(ONCE_CALL)(once, ignore_poisoning, data, vtable, location);
    __tsan_release(once);
    __tsan_acquire(once);
}
