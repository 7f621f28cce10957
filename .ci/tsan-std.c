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

/* Once::call(&self, ignore_poisoning, f, vtable): later callers see the effects of `f`. They may see in the fast path that it
 * is complete, before this function returns. So the order is declared as soon as `f` has returned: the real function gets
 * another vtable, of which the last method (drop, size, alignment, `call_once`, `call_mut`) does that.
 */
struct function {
    void *data;
    void (*call_mut)(void *data, const void *state);
    void *once;
};
static void call_and_release(void *data, const void *state) {
    const struct function *function = data;
    function->call_mut(function->data, state);
    __tsan_release(function->once);
}
void REAL(ONCE_CALL)(void *once, _Bool ignore_poisoning, void *data, void *vtable, void *location);
void WRAPPER(ONCE_CALL)(void *once, _Bool ignore_poisoning, void *data, void **vtable, void *location) {
    struct function function = { data, (void (*)(void *, const void *))vtable[4], once };
    void *wrapped[] = { vtable[0], vtable[1], vtable[2], vtable[3], (void *)call_and_release };
    REAL(ONCE_CALL)(once, ignore_poisoning, &function, wrapped, location);
    __tsan_acquire(once);
}
