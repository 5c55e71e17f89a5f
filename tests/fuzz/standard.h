/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of tests/omp/c use of the standard library. The real headers are much longer
 * than the programs, and Clang would read them for each random text. */
#pragma GCC system_header
typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef struct stream FILE;
extern FILE* stderr;
extern FILE* stdout;
int printf(const char*, ...);
int fprintf(FILE*, const char*, ...);
int snprintf(char*, size_t, const char*, ...);
int fflush(FILE*);
void* malloc(size_t);
void* calloc(size_t, size_t);
void free(void*);
void exit(int);
void _Exit(int);
void abort(void);
int atoi(const char*);
char* getenv(const char*);
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t);
int strcmp(const char*, const char*);
size_t strlen(const char*);
int sched_yield(void);
int usleep(unsigned);
unsigned alarm(unsigned);
int rand(void);
typedef void (*handler)(int);
handler signal(int, handler);
int raise(int);
long write(int, const void*, size_t);
int close(int);
int strncmp(const char*, const char*, size_t);
size_t strcspn(const char*, const char*);
char* strstr(const char*, const char*);
double cimag(double _Complex);
double creal(double _Complex);
typedef unsigned long pthread_t;
typedef struct {
  int state;
} pthread_mutex_t;
int pthread_create(pthread_t*, const void*, void* (*)(void*), void*);
int pthread_join(pthread_t, void**);
int pthread_mutex_lock(pthread_mutex_t*);
int pthread_mutex_unlock(pthread_mutex_t*);
enum { SIGALRM = 14, SIGTERM = 15, EXIT_SUCCESS = 0, EXIT_FAILURE = 1 };
#define SIG_DFL ((handler)0)
#define I 1.0iF
#define SHRT_MAX 32767
#define ULLONG_MAX (~0ULL)
#define DBL_MAX __DBL_MAX__
#define NULL ((void*)0)
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (2U * __INT_MAX__ + 1)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1)
#define UINT64_MAX (~0UL)
#define INT64_MAX __LONG_MAX__
#define bool _Bool
#define true 1
#define false 0
