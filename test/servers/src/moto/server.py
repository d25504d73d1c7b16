"""moto, whose kms:Sign does what AWS documents and moto 5.2.5 leaves out: it signs a DIGEST without a second hash, and
refuses a RAW message above 4,096 bytes and keys that are not enabled
(https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html). When it enforces IAM policies, it checks DynamoDB's
tables and indexes, and each action of a transaction
(https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html)."""

import threading

from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from moto.core.exceptions import JsonRESTError
from moto.dynamodb.responses import DynamoHandler
from moto.kms.exceptions import ValidationException
from moto.kms.responses import KmsResponse
from moto.kms.utils import ECDSAPrivateKey, RSAPrivateKey
from moto.server import main

call = threading.local()
sign_call = KmsResponse.sign
sign_ecdsa = ECDSAPrivateKey.sign
sign_rsa = RSAPrivateKey.sign


def check_state(key):
    if key.key_state == "Disabled":
        raise JsonRESTError("DisabledException", f"{key.arn} is disabled.")
    if key.key_state != "Enabled":
        raise JsonRESTError("KMSInvalidStateException", f"{key.arn} is {key.key_state}.")


def checked_call(self):
    call.is_digest = self._get_param("MessageType") == "DIGEST"
    size = len(self._get_param("Message"))
    if call.is_digest and size != 32:
        raise ValidationException("Digest is invalid length for algorithm.")
    if size > 4096:
        raise ValidationException("Member must have length less than or equal to 4096")
    key_id = self._get_param("KeyId")
    self._validate_key_id(key_id)
    check_state(self.kms_backend.describe_key(key_id))
    return sign_call(self)


def ecdsa(self, message, algorithm):
    if not call.is_digest:
        return sign_ecdsa(self, message, algorithm)
    assert algorithm == "ECDSA_SHA_256"
    return self.private_key.sign(message, ec.ECDSA(Prehashed(SHA256())))


def rsa(self, message, algorithm):
    if not call.is_digest:
        return sign_rsa(self, message, algorithm)
    assert algorithm == "RSASSA_PKCS1_V1_5_SHA_256"
    return self.private_key.sign(message, padding.PKCS1v15(), Prehashed(SHA256()))


permissions = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
authorize_one = DynamoHandler._authenticate_and_authorize_normal_action


def needed_permissions(action, parameters):
    if action == "TransactWriteItems":
        actions = [entry for item in parameters["TransactItems"] for entry in item.items() if entry[1]]
        return {(permissions[kind], each["TableName"]) for kind, each in actions}
    if action == "BatchGetItem":
        return {(action, table) for table in parameters["RequestItems"]}
    index = parameters.get("IndexName")
    return {(action, parameters["TableName"] + (f"/index/{index}" if index else ""))}


def authorize(self, resource="*"):
    for permission, name in needed_permissions(self._get_action(), self.body):
        self._get_action = lambda: permission
        try:
            authorize_one(self, f"arn:aws:dynamodb:{self.region}:{self.current_account}:table/{name}")
        finally:
            del self._get_action


DynamoHandler._authenticate_and_authorize_normal_action = authorize
KmsResponse.sign = checked_call
ECDSAPrivateKey.sign = ecdsa
RSAPrivateKey.sign = rsa

if __name__ == "__main__":
    main()
