/*
 * A PKCS #11 module for tests: SoftHSM with faults. It reads the file FAULT_FILE before each call: "down" returns
 * CKR_DEVICE_REMOVED, "stall" waits until the file changes, and "final-try" sets that flag of the token. A new number in
 * SESSIONS_FILE closes all sessions first, between the calls of SoftHSM: it crashes if another thread uses one of them.
 * Each login adds a byte to LOGINS_FILE.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CK_PTR *
#define CK_DEFINE_FUNCTION(returnType, name) returnType name
#define CK_DECLARE_FUNCTION(returnType, name) returnType name
#define CK_DECLARE_FUNCTION_POINTER(returnType, name) returnType(*name)
#define CK_CALLBACK_FUNCTION(returnType, name) returnType(*name)
#ifndef NULL_PTR
#define NULL_PTR 0
#endif
#include "pkcs11/pkcs11.h"

static CK_FUNCTION_LIST *real;
static CK_FUNCTION_LIST faulty;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Each call of SoftHSM holds it for reading. */
static pthread_rwlock_t calls = PTHREAD_RWLOCK_INITIALIZER;
static int sessions_ended;
static CK_SLOT_ID used_slot;
static int has_slot;

static void read_file(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text, 1, size - 1, file) : 0;
  text[length] = 0;
  if (file) fclose(file);
}

static CK_RV check(void) {
  char text[32];
  for (;;) {
    read_file(FAULT_FILE, text, sizeof text);
    if (strncmp(text, "stall", 5) != 0) break;
    usleep(5000);
  }
  if (strncmp(text, "down", 4) == 0) return CKR_DEVICE_REMOVED;
  read_file(SESSIONS_FILE, text, sizeof text);
  pthread_mutex_lock(&lock);
  if (atoi(text) != sessions_ended) {
    sessions_ended = atoi(text);
    pthread_rwlock_wrlock(&calls);
    if (has_slot) real->C_CloseAllSessions(used_slot);
    pthread_rwlock_unlock(&calls);
  }
  pthread_mutex_unlock(&lock);
  return CKR_OK;
}

#define CALL(result, name, arguments) \
  do {                                \
    pthread_rwlock_rdlock(&calls);    \
    result = real->name arguments;    \
    pthread_rwlock_unlock(&calls);    \
  } while (0)

#define CHECKED(name, parameters, arguments) \
  CK_RV name parameters {                    \
    CK_RV rv = check();                      \
    if (rv == CKR_OK) CALL(rv, name, arguments); \
    return rv;                               \
  }

#define UNCHECKED(name, parameters, arguments) \
  CK_RV name parameters {                      \
    CK_RV rv;                                  \
    CALL(rv, name, arguments);                 \
    return rv;                                 \
  }

CHECKED(C_GetSlotList, (CK_BBOOL present, CK_SLOT_ID_PTR slots, CK_ULONG_PTR count), (present, slots, count))
CHECKED(C_FindObjectsInit, (CK_SESSION_HANDLE s, CK_ATTRIBUTE_PTR t, CK_ULONG n), (s, t, n))
CHECKED(C_SignInit, (CK_SESSION_HANDLE s, CK_MECHANISM_PTR m, CK_OBJECT_HANDLE k), (s, m, k))
CHECKED(C_EncryptInit, (CK_SESSION_HANDLE s, CK_MECHANISM_PTR m, CK_OBJECT_HANDLE k), (s, m, k))
CHECKED(C_DecryptInit, (CK_SESSION_HANDLE s, CK_MECHANISM_PTR m, CK_OBJECT_HANDLE k), (s, m, k))

UNCHECKED(C_CloseSession, (CK_SESSION_HANDLE s), (s))
UNCHECKED(C_FindObjects, (CK_SESSION_HANDLE s, CK_OBJECT_HANDLE_PTR o, CK_ULONG n, CK_ULONG_PTR c), (s, o, n, c))
UNCHECKED(C_FindObjectsFinal, (CK_SESSION_HANDLE s), (s))
UNCHECKED(C_GetAttributeValue, (CK_SESSION_HANDLE s, CK_OBJECT_HANDLE o, CK_ATTRIBUTE_PTR t, CK_ULONG n), (s, o, t, n))
UNCHECKED(C_Sign, (CK_SESSION_HANDLE s, CK_BYTE_PTR d, CK_ULONG n, CK_BYTE_PTR o, CK_ULONG_PTR c), (s, d, n, o, c))
UNCHECKED(C_Encrypt, (CK_SESSION_HANDLE s, CK_BYTE_PTR d, CK_ULONG n, CK_BYTE_PTR o, CK_ULONG_PTR c), (s, d, n, o, c))
UNCHECKED(C_Decrypt, (CK_SESSION_HANDLE s, CK_BYTE_PTR d, CK_ULONG n, CK_BYTE_PTR o, CK_ULONG_PTR c), (s, d, n, o, c))

CK_RV C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, CK_VOID_PTR application, CK_NOTIFY notify,
                           CK_SESSION_HANDLE_PTR session) {
  CK_RV rv = check();
  if (rv != CKR_OK) return rv;
  used_slot = slot;
  has_slot = 1;
  CALL(rv, C_OpenSession, (slot, flags, application, notify, session));
  return rv;
}

CK_RV C_Login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR_PTR pin, CK_ULONG length) {
  CK_RV rv = check();
  if (rv != CKR_OK) return rv;
  FILE *file = fopen(LOGINS_FILE, "a");
  if (file) {
    fputc('1', file);
    fclose(file);
  }
  CALL(rv, C_Login, (session, user, pin, length));
  return rv;
}

CK_RV C_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO_PTR info) {
  char text[32];
  CK_RV rv = check();
  if (rv == CKR_OK) CALL(rv, C_GetTokenInfo, (slot, info));
  read_file(FAULT_FILE, text, sizeof text);
  if (rv == CKR_OK && strncmp(text, "final-try", 9) == 0) info->flags |= CKF_USER_PIN_FINAL_TRY;
  return rv;
}

__attribute__((visibility("default"))) CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR list) {
  pthread_mutex_lock(&lock);
  if (!real) {
    setenv("SOFTHSM2_CONF", CONFIGURATION_FILE, 1);
    void *library = dlopen(SOFTHSM_MODULE, RTLD_NOW | RTLD_LOCAL);
    CK_C_GetFunctionList get = library ? (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList") : NULL;
    if (!get || get(&real) != CKR_OK) {
      pthread_mutex_unlock(&lock);
      return CKR_GENERAL_ERROR;
    }
    faulty = *real;
    faulty.C_GetSlotList = C_GetSlotList;
    faulty.C_GetTokenInfo = C_GetTokenInfo;
    faulty.C_OpenSession = C_OpenSession;
    faulty.C_Login = C_Login;
    faulty.C_FindObjectsInit = C_FindObjectsInit;
    faulty.C_SignInit = C_SignInit;
    faulty.C_EncryptInit = C_EncryptInit;
    faulty.C_DecryptInit = C_DecryptInit;
    faulty.C_CloseSession = C_CloseSession;
    faulty.C_FindObjects = C_FindObjects;
    faulty.C_FindObjectsFinal = C_FindObjectsFinal;
    faulty.C_GetAttributeValue = C_GetAttributeValue;
    faulty.C_Sign = C_Sign;
    faulty.C_Encrypt = C_Encrypt;
    faulty.C_Decrypt = C_Decrypt;
  }
  pthread_mutex_unlock(&lock);
  *list = &faulty;
  return CKR_OK;
}
