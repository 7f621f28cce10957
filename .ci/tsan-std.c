/* Tells ThreadSanitizer the order that the standard library's locks establish.
 *
 * The standard library is precompiled without the sanitizer. Its generic and inline code is compiled again with the
 * program, and so instrumented: this includes the fast paths of locks, but not the functions below. Each of them is
 * called through a wrapper (`ld --wrap`), which declares the order that the function establishes between threads, and
 * no other. `.ci/tsan` finds the symbols and defines them as macros.
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

/* Condvar::wait(&self, mutex): the lock is released, and taken again. */
void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAPPER(CONDVAR_WAIT)(void *condvar, void *mutex) {
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

/* Once::call(&self, ignore_poisoning, f, vtable): later callers see the effects of `f`. */
void REAL(ONCE_CALL)(void *once, _Bool ignore_poisoning, void *data, void *vtable, void *location);
void WRAPPER(ONCE_CALL)(void *once, _Bool ignore_poisoning, void *data, void *vtable, void *location) {
    REAL(ONCE_CALL)(once, ignore_poisoning, data, vtable, location);
    __tsan_release(once);
    __tsan_acquire(once);
}
