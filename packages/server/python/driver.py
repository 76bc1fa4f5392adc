"""Runs the cases of the test beside it, given as JSON lines, with the module; prints what each came to as JSON."""

import json
import sys

from imprint_server import ImprintServer, ImprintServerError

ARGUMENTS = {"maxAgeSeconds": "max_age_seconds", "accountRef": "account_ref"}


def run(case):
    client = ImprintServer(
        case["endpoint"], case["apiKey"], timeout_seconds=case["timeoutMs"] / 1000, retries=case["retries"]
    )
    options = {ARGUMENTS.get(name, name): value for name, value in case["options"].items()}
    if case["call"] == "accept":
        answer = client.accept_imprint(case["imprint"], **options)
        seen = {"accepted": answer.accepted, "report": answer.report is not None}
        return seen if answer.accepted else {**seen, "reason": answer.reason, "code": answer.code}
    try:
        read = client.report(case["imprint"], **options)
    except ImprintServerError as error:
        told = [error.code, error.status, error.retry_after_seconds, error.request_id]
        assert case["apiKey"] not in repr(error) + str(vars(error)) + repr(client)
        return {"error": told}
    return {"read": [read.delivery, read.surface, read.origin, read.age_seconds, read.recognition, read.confidence, read.agent]}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
