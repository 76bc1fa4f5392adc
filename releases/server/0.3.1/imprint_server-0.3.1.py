"""Server side of Imprint: accepts the imprint of a visit and reads its Report. Python 3.9 or newer, nothing else.

    imprint = ImprintServer("https://imprint.example.com", os.environ["IMPRINT_KEY"])
    visit = imprint.accept_imprint(form.get("imprint"), surface="sign-in", origin="https://shop.example")
    if visit.accepted:
        print(visit.report["risk"]["status"])
    else:
        log.warning("%s: %s", visit.reason, visit.message)

`accept_imprint` never raises, and recommends nothing: what a status means for your site is yours to decide.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import math
import queue
import random
import re
import secrets
import socket
import threading
import time
import unicodedata
import urllib.parse
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

# Made from the contract by `npm run generate`; edits are lost.

__version__ = "0.3.1"


Imprint = str


ReportStatus = Literal["PASS", "SUSPICIOUS", "DECEPTIVE"]


Reason = Literal[
    "BROWSER_VERSION_MISMATCH",
    "BROWSER_IDENTITY_MISMATCH",
    "OS_ENVIRONMENT_MISMATCH",
    "AUTOMATION_DETECTED",
    "ENVIRONMENT_INCONSISTENT",
    "PROXY_DETECTED",
    "HOSTING_NETWORK_DETECTED",
    "NETWORK_INCONSISTENT",
    "LOCATION_INCONSISTENT",
    "SIGNAL_DATA_INCOMPLETE",
]


class _IdentityResultOptional(TypedDict, total=False):
    name: str
    version: str


class IdentityResult(_IdentityResultOptional):
    status: ReportStatus


class NetworkLocation(TypedDict, total=False):
    country_name: str
    region: str
    city: str
    timezone: str


class _NetworkOptional(TypedDict, total=False):
    # Public egress address of the request that reached the service
    observed_ip: str
    country_code: str
    # Public address of the client as detected by the service
    alternate_ip: str
    proxy_detected: bool
    location: NetworkLocation
    provider: str
    connection_type: Literal["residential", "mobile", "corporate", "hosting", "proxy", "unknown"]
    asn: int


class Network(_NetworkOptional):
    status: ReportStatus
    ip_consistency: Literal["MATCH", "MISMATCH", "UNKNOWN"]


class ActivityWindow(TypedDict):
    events: int
    distinct_ips: int
    distinct_countries: int


Activity = TypedDict("Activity", {"5m": ActivityWindow, "1h": ActivityWindow, "24h": ActivityWindow})


class AccountMap(TypedDict):
    account_seen_before: bool
    relationship_seen_before: bool
    accounts_on_device: int
    devices_on_account: int
    accounts_first_seen_on_device_1h: int


class _ReportDeviceOptional(TypedDict, total=False):
    # UTC, RFC 3339
    first_seen_at: str


class ReportDevice(_ReportDeviceOptional):
    # Scoped to the Workspace
    id: str
    seen_before: bool
    # Visits of this device, the current one included
    access_count: int
    previous_seen_at: Union[str, None]


class ReportRiskFinding(TypedDict):
    reason: Reason
    status: ReportStatus


class ReportRisk(TypedDict):
    status: ReportStatus
    reasons: List[Reason]
    findings: List[ReportRiskFinding]


class _ReportOptional(TypedDict, total=False):
    activity: Activity
    account_map: AccountMap


class Report(_ReportOptional):
    """Device identity and access risk of one visit; the same fields on every plan"""

    schema_version: str
    imprint: Imprint
    # UTC, RFC 3339
    created_at: str
    device: ReportDevice
    risk: ReportRisk
    browser: IdentityResult
    operating_system: IdentityResult
    network: Network


HistoryRange = TypedDict("HistoryRange", {"from": str, "to": str, "days": int})


class _HistorySummaryOptional(TypedDict, total=False):
    # Earliest visit in the range; absent when there is none
    firstSeenAt: str
    # Latest visit in the range; absent when there is none
    lastSeenAt: str


class HistorySummary(_HistorySummaryOptional):
    # Visits of the device in the range
    events: int
    # Whether the range holds more visits than `recent` lists
    truncated: bool


class HistoryTimeline(TypedDict):
    date: str
    count: int


class HistoryRecent(TypedDict):
    # UTC, RFC 3339
    at: str
    # Business surface that the page gave with the visit
    surface: str


class History(TypedDict):
    """Visits of the device behind an imprint, day by day"""

    imprint: Imprint
    range: HistoryRange
    summary: HistorySummary
    # Every day of the range in order, zeros included
    timeline: List[HistoryTimeline]
    # Newest first
    recent: List[HistoryRecent]


_IMPRINT_PATTERN = re.compile(r"imp_[0-9a-f]{32}")


# Every error.code of the service.
_SERVICE_CODES = frozenset(
    (
        "settlement_pending",
        "invalid_request",
        "invalid_origin",
        "invalid_account_ref",
        "invalid_payment",
        "challenge_expired",
        "auth_failed",
        "forbidden",
        "origin_not_allowed",
        "environment_disabled",
        "visitor_signature_invalid",
        "visitor_signature_expired",
        "visitor_key_refused",
        "trial_key_required",
        "grant_expired",
        "grant_revoked",
        "history_not_allowed",
        "account_map_not_allowed",
        "mcp_disabled",
        "not_found",
        "report_not_found",
        "environment_not_found",
        "intent_not_found",
        "product_not_found",
        "method_not_allowed",
        "request_timeout",
        "challenge_used",
        "account_ref_conflict",
        "product_unavailable",
        "payment_already_used",
        "intent_expired",
        "intent_revoked",
        "conflict",
        "payload_too_large",
        "headers_too_large",
        "rate_limited",
        "quota_exhausted",
        "request_limit_reached",
        "internal_error",
        "facilitator_error",
        "payment_unavailable",
        "service_unavailable",
    )
)


RefusalReason = Literal[
    "missing",
    "malformed",
    "not_found",
    "wrong_surface",
    "wrong_origin",
    "too_old",
    "already_used",
    "wrong_address",
    "account_conflict",
    "quota_exhausted",
    "rate_limited",
    "misconfigured",
    "unavailable",
]


_REFUSALS: Dict[str, str] = {
    "missing": "The request brought no imprint: the component was blocked, failed, or the form has no field for it",
    "malformed": "The request brought something that is no imprint: visitors can send anything",
    "not_found": "Imprint does not know this imprint: it was made up, belongs to another workspace, or was erased",
    "wrong_surface": "The imprint was made for another action of the site",
    "wrong_origin": "The imprint was made on a page of another origin",
    "too_old": "The imprint was made too long ago: the page has to run the component when the form is sent",
    "already_used": "The imprint was used before, for another action: the page has to make a new one each time",
    "wrong_address": "The imprint was made from another network address than the one that sends it",
    "account_conflict": "The imprint was used for another account before",
    "quota_exhausted": "All report units or requests of this plan are used: see Usage in the Console",
    "rate_limited": "Imprint refused for too many requests: see the limits of the plan",
    "misconfigured": "Imprint cannot be asked like this: the endpoint, the key, the plan or an option has to be mended",
    "unavailable": "Imprint did not answer in time: nothing is known of this visit",
}


_REASON_BY_CODE: Dict[str, str] = {
    "report_not_found": "not_found",
    "account_ref_conflict": "account_conflict",
    "quota_exhausted": "quota_exhausted",
    "request_limit_reached": "quota_exhausted",
    "rate_limited": "rate_limited",
    "auth_failed": "misconfigured",
    "forbidden": "misconfigured",
    "grant_expired": "misconfigured",
    "grant_revoked": "misconfigured",
    "account_map_not_allowed": "misconfigured",
    "invalid_account_ref": "misconfigured",
    "invalid_request": "misconfigured",
    "not_found": "misconfigured",
    "method_not_allowed": "misconfigured",
    "headers_too_large": "misconfigured",
}

# End of what is made from the contract.

_MAX_BYTES = 1024 * 1024
_MAX_MESSAGE_LENGTH = 500
_FIRST_WAIT_SECONDS = 0.1
_MAX_WAIT_SECONDS = 1.0
_ACCEPTANCE_PATTERN = re.compile(r"[\x21-\x7e]{1,128}")
_ACCOUNT_REF_PATTERN = re.compile(r"[\x20-\x7e]{1,128}")


class ImprintServerError(Exception):
    """Why a call failed. Branch on `code`, never on the text.

    `network`: no connection, or one that broke. `timeout`: no answer in time. `bad_response`: an answer that is not the
    service's. The others are the service's own.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        retry_after_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.retry_after_seconds = retry_after_seconds
        self.request_id = request_id


@dataclass(frozen=True)
class ReportRead:
    """A Report, and what the headers beside it tell. One that is None was not sent."""

    report: Report
    #: Whether this is the first delivery of this Report, or the first one to this acceptance id.
    delivery: Optional[Literal["first", "repeat"]]
    #: What the page gave to run().
    surface: Optional[str]
    #: Origin of the page that made the imprint, as its browser said.
    origin: Optional[str]
    #: Age of the imprint by the clock of the service.
    age_seconds: Optional[int]
    #: How the device was found.
    recognition: Optional[Literal["token", "evidence", "new"]]
    #: With "evidence": how sure that is, from 0 to 0.99.
    confidence: Optional[float]
    #: Name of the automated agent that signed the visit's request, where that was verified.
    agent: Optional[str]


@dataclass(frozen=True)
class Accepted(ReportRead):
    accepted: Literal[True] = True


@dataclass(frozen=True)
class Refused:
    reason: RefusalReason
    #: For your log: what happened and what to do about it. Not for the visitor.
    message: str
    #: With the reasons that come from the Report itself, e.g. too_old.
    report: Optional[Report] = None
    #: Of the call that failed, where one did.
    code: Optional[str] = None
    accepted: Literal[False] = False


#: `accepted` says whether this imprint is evidence for this action, never what to do about its risk.
Acceptance = Union[Accepted, Refused]


class _LeftOut:
    """What an argument is that was left out, since None is a value that a framework may give."""


_LEFT_OUT = _LeftOut()


def _refuse(
    reason: str, detail: Optional[str] = None, report: Optional[Report] = None, code: Optional[str] = None
) -> Refused:
    message = _REFUSALS[reason] if detail is None else f"{_REFUSALS[reason]} ({detail})"
    return Refused(reason=reason, message=message, report=report, code=code)  # type: ignore[arg-type]


def _refuse_for(error: ImprintServerError) -> Refused:
    # A redirect, or a page in place of a refusal: whatever answers at the endpoint, it is not the service.
    is_wrong_endpoint = error.code == "bad_response" and 300 <= (error.status or 0) < 500
    reason = "misconfigured" if is_wrong_endpoint else _REASON_BY_CODE.get(error.code, "unavailable")
    return _refuse(reason, f"{error.code}: {error.message}", code=error.code)


class _Answer:
    def __init__(self, status: int, headers: http.client.HTTPMessage, body: Any) -> None:
        self.status = status
        self.headers = headers
        self.body = body


def _retry_after(header: Optional[str]) -> Optional[int]:
    """Seconds of a Retry-After, which is a number or a date. Source: RFC 9110, section 10.2.3."""
    if header is None:
        return None
    if re.fullmatch(r"\s*[0-9]{1,9}\s*", header):
        return int(header)
    try:
        return max(0, math.ceil(parsedate_to_datetime(header).timestamp() - time.time()))
    except (ValueError, TypeError, OverflowError):
        return None


def _code_of_status(status: int) -> str:
    if status == 429:
        return "rate_limited"
    return "service_unavailable" if status in (502, 503, 504) else "bad_response"


def _refusal(answer: _Answer, api_key: str) -> ImprintServerError:
    """The failure that an answer other than 200 stands for. The key is in no part of it, whoever repeats it."""

    def clear(text: str) -> str:
        return text.replace(api_key, "…")

    envelope = answer.body.get("error") if isinstance(answer.body, dict) else None
    code, message = (envelope.get("code"), envelope.get("message")) if isinstance(envelope, dict) else (None, None)
    if isinstance(code, str) and code in _SERVICE_CODES:
        told = clear(message)[:_MAX_MESSAGE_LENGTH] if isinstance(message, str) else code
    else:
        is_code = isinstance(code, str) and re.fullmatch(r"\w{1,64}", code, re.ASCII)
        what = f"the unknown code {clear(str(code))}" if is_code else f"status {answer.status}"
        code, told = _code_of_status(answer.status), f"The endpoint answered with {what}"
    return ImprintServerError(
        code,
        told,
        status=answer.status,
        retry_after_seconds=_retry_after(answer.headers.get("Retry-After")),
        request_id=clear(answer.headers.get("X-Request-Id", "")) or None,
    )


def _wait_before(error: ImprintServerError, retry: int) -> Optional[float]:
    """Seconds until the request is sent again; None when it is not. Full jitter: between nothing and the whole."""
    is_repeated = (
        error.code in ("network", "timeout")
        or error.status in (502, 503, 504)
        or (
            error.status == 429
            and error.retry_after_seconds is not None
            and error.code not in ("quota_exhausted", "request_limit_reached")
        )
    )
    if not is_repeated:
        return None
    jitter = random.random() * min(_MAX_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0**retry)
    return (error.retry_after_seconds or 0) + jitter


def _within(seconds: float, work: Callable[[], _Answer], stop: Callable[[], None]) -> _Answer:
    """Runs `work` in a thread, since neither the look-up of a name nor a slow answer ends by a time-out of sockets."""
    outcome: queue.Queue[Tuple[Optional[_Answer], Optional[BaseException]]] = queue.Queue(1)

    def run() -> None:
        try:
            outcome.put((work(), None))
        except BaseException as error:  # is raised again in the thread that waits
            outcome.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        answer, error = outcome.get(timeout=max(seconds, 0.001))
    except queue.Empty:
        stop()
        raise ImprintServerError("timeout", "Imprint did not answer in time") from None
    if error is not None:
        raise error
    assert answer is not None
    return answer


class _Transport:
    """Asks the endpoint, and nobody else: redirects are not followed, and no proxy of the environment is used."""

    def __init__(
        self, endpoint: str, api_key: str, timeout_seconds: float, attempt_timeout_seconds: float, retries: int
    ) -> None:
        self._url = urllib.parse.urlsplit(endpoint)
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._attempt_timeout_seconds = attempt_timeout_seconds
        self._retries = retries

    def __repr__(self) -> str:
        return "<transport>"

    def _attempt(self, path: str, headers: Mapping[str, str], seconds: float) -> _Answer:
        is_secure = self._url.scheme == "https"
        connect = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        # Without a port http.client would look for one in an IPv6 address.
        port = self._url.port or connect.default_port
        connection = connect(self._url.hostname or "", port, timeout=seconds)

        def exchange() -> _Answer:
            own = {
                "Accept": "application/json",
                "User-Agent": f"imprint-server-python/{__version__}",
                "Cache-Control": "no-cache",
                **headers,
                "X-API-Key": self._api_key,
            }
            try:
                connection.request("GET", f"{self._url.path}{path}", headers=own)
                response = connection.getresponse()
                if 300 <= response.status < 400:
                    raise ImprintServerError(
                        "bad_response",
                        "The endpoint answered with a redirect, which is not followed. "
                        "Set `endpoint` to the address where the service itself answers",
                        status=response.status,
                    )
                text = response.read(_MAX_BYTES + 1)
                if len(text) <= _MAX_BYTES and response.length:
                    raise http.client.IncompleteRead(text, response.length)
            finally:
                connection.close()
            if len(text) > _MAX_BYTES:
                raise ImprintServerError(
                    "bad_response",
                    "The endpoint answered with more than 1 MB, which no answer of Imprint has",
                    status=response.status,
                )
            return _Answer(response.status, response.headers, _parse(text))

        def stop() -> None:
            try:
                # Ends a read that another thread waits in, which closing alone does not.
                if connection.sock is not None:
                    connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

        try:
            return _within(seconds, exchange, stop)
        except ImprintServerError:
            raise
        except TimeoutError:
            raise ImprintServerError("timeout", "Imprint did not answer in time") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = f"{type(error).__name__} {error}".replace(self._api_key, "…")
            raise ImprintServerError("network", f"Imprint could not be reached: {why}") from None

    def _exchange(self, path: str, headers: Mapping[str, str], seconds: float) -> _Answer:
        answer = self._attempt(path, headers, seconds)
        if answer.status != 200:
            raise _refusal(answer, self._api_key)
        if not isinstance(answer.body, dict):
            raise ImprintServerError(
                "bad_response", "The endpoint answered with something other than JSON", status=answer.status
            )
        return answer

    def ask(self, path: str, headers: Mapping[str, str]) -> _Answer:
        """Asks the service, again where that is safe, until the deadline."""
        ends_at = time.monotonic() + self._timeout_seconds
        retry = 0
        while True:
            try:
                seconds = min(self._attempt_timeout_seconds, ends_at - time.monotonic())
                return self._exchange(path, headers, seconds)
            except ImprintServerError as error:
                wait = _wait_before(error, retry)
                if wait is None or retry >= self._retries or time.monotonic() + wait >= ends_at:
                    raise
            time.sleep(wait)
            retry += 1


def _parse(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _require_imprint(imprint: object) -> str:
    if not isinstance(imprint, str) or not _IMPRINT_PATTERN.fullmatch(imprint):
        raise ImprintServerError(
            "report_not_found", "That is not an imprint: imp_ and 32 lowercase hex digits", status=404
        )
    return imprint


def _is_report_of(imprint: str, body: Dict[str, Any]) -> bool:
    """Whether a body is the Report of this imprint: what a site reads from it is there."""
    device, risk = body.get("device"), body.get("risk")
    return (
        body.get("imprint") == imprint
        and isinstance(body.get("created_at"), str)
        and isinstance(device, dict)
        and isinstance(device.get("id"), str)
        and isinstance(risk, dict)
        and isinstance(risk.get("status"), str)
        and isinstance(risk.get("reasons"), list)
        and isinstance(risk.get("findings"), list)
        and all(isinstance(body.get(name), dict) for name in ("browser", "operating_system", "network"))
    )


def _one_of(values: Sequence[str], text: Optional[str]) -> Any:
    return text if text in values else None


def _matched(pattern: str, text: Optional[str]) -> Optional[str]:
    return text if text is not None and re.fullmatch(pattern, text) else None


def _describe(report: Any, headers: http.client.HTTPMessage) -> Dict[str, Any]:
    age = _matched(r"[0-9]{1,12}", headers.get("Imprint-Age"))
    confidence = _matched(r"0\.[0-9]{2}", headers.get("Imprint-Confidence"))
    return {
        "report": report,
        "delivery": _one_of(("first", "repeat"), headers.get("Imprint-Delivery")),
        "surface": headers.get("Imprint-Surface"),
        "origin": headers.get("Imprint-Origin"),
        "age_seconds": None if age is None else int(age),
        "recognition": _one_of(("token", "evidence", "new"), headers.get("Imprint-Recognition")),
        "confidence": None if confidence is None else float(confidence),
        "agent": headers.get("Imprint-Agent"),
    }


def _label_of(label: str) -> str:
    return label if label.isascii() else f"xn--{label.encode('punycode').decode()}"


def _ascii_host(name: str) -> str:
    """As browsers write it: unlike the codec "idna", which is of 2003, they keep letters such as ß. Source: UTS 46."""
    return ".".join(map(_label_of, re.split("[.\u3002\uff0e\uff61]", unicodedata.normalize("NFKC", name.lower()))))


def _origin_of(text: str) -> Optional[str]:
    """As a browser sends it; None for what is no origin."""
    try:
        url = urllib.parse.urlsplit(text)
        port = url.port
        host = f"[{url.hostname}]" if ":" in (url.hostname or "") else _ascii_host(url.hostname or "")
    except (ValueError, UnicodeError):
        return None
    if url.scheme not in ("http", "https") or not host or "@" in url.netloc:
        return None
    if url.path not in ("", "/") or url.query or url.fragment:
        return None
    is_default = port is None or port == {"http": 80, "https": 443}[url.scheme]
    return f"{url.scheme}://{host}" if is_default else f"{url.scheme}://{host}:{port}"


def _connection_of(address: str) -> Optional[str]:
    """The IPv4 address, or the /64 network of an IPv6 one: browsers change the rest within hours."""
    # As a socket, a framework or a header of a load balancer gives it: without a port, brackets or a zone.
    known = re.fullmatch(r"([0-9][0-9.]+):[0-9]+|\[([^\]]+)\](?::[0-9]+)?", address.strip())
    bare = (known.group(1) or known.group(2) if known else address.strip()).split("%")[0]
    try:
        parsed = ipaddress.ip_address(bare)
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def _texts_of(value: object) -> Optional[List[str]]:
    values: List[object] = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
    texts = [each for each in values if isinstance(each, str) and each != ""]
    return texts if texts and len(texts) == len(values) else None


@dataclass(frozen=True)
class _Expected:
    surfaces: Sequence[str]
    origins: Sequence[str]
    max_age_seconds: float
    once: bool
    address: object

    def fault_of(self, read: ReportRead) -> Optional[Refused]:
        """Why a Report is no evidence for this action; None when it is."""
        if read.age_seconds is None or (self.once and read.delivery is None):
            lacking = "the answer lacks Imprint-Age or Imprint-Delivery: upgrade the service, or let the proxy pass them"
            return _refuse("misconfigured", lacking, read.report)
        if read.origin not in self.origins:
            return _refuse("wrong_origin", f"made on {read.origin or 'an unknown one'}", read.report)
        if read.surface not in self.surfaces:
            return _refuse("wrong_surface", f"made for {read.surface or 'an unknown one'}", read.report)
        if read.age_seconds > self.max_age_seconds:
            ages = f"{read.age_seconds} seconds, accepted are {self.max_age_seconds}"
            return _refuse("too_old", ages, read.report)
        if self.once and read.delivery == "repeat":
            return _refuse("already_used", report=read.report)
        return None if self.address is _LEFT_OUT else self._address_fault(read.report)

    def _address_fault(self, report: Report) -> Optional[Refused]:
        observed = report["network"].get("observed_ip")
        if not isinstance(observed, str):
            return _refuse("wrong_address", "the Report names none", report)
        connection = _connection_of(self.address) if isinstance(self.address, str) else None
        if connection is None:
            return _refuse("wrong_address", "your server knows none of the sender", report)
        return None if _connection_of(observed) == connection else _refuse("wrong_address", report=report)


def _parse_expected(
    surface: object, origin: object, max_age_seconds: object, once: object, acceptance: object, address: object
) -> Union[_Expected, str]:
    """What the site expects; a text names the argument that is wrong."""
    surfaces, given = _texts_of(surface), _texts_of(origin)
    if surfaces is None:
        return "surface is missing: name the one that the page gives to run()"
    if given is None:
        return "origin is missing: name that of the page, e.g. https://shop.example"
    origins = [known for known in map(_origin_of, given) if known is not None]
    if len(origins) < len(given):
        return "origin has to be scheme, host and port only, e.g. https://shop.example"
    if isinstance(max_age_seconds, bool) or not isinstance(max_age_seconds, (int, float)) or not max_age_seconds >= 0:
        return "max_age_seconds has to be a number from 0"
    if not isinstance(once, bool):
        return "once has to be True or False"
    if acceptance is not None and not (isinstance(acceptance, str) and _ACCEPTANCE_PATTERN.fullmatch(acceptance)):
        return "acceptance has to be 1 to 128 visible ASCII characters without spaces"
    return _Expected(surfaces, origins, max_age_seconds, once, address)


def _check_endpoint(endpoint: object) -> str:
    if not isinstance(endpoint, str) or endpoint == "":
        raise ValueError("endpoint is missing. Give the address of your Imprint service, e.g. https://imprint.example.com")
    try:
        url = urllib.parse.urlsplit(endpoint)
        is_fine = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_fine = False
    if not is_fine or re.search(r"[^\x21-\x7e]", endpoint):
        raise ValueError("endpoint is not an http or https address. Give it as https://imprint.example.com")
    if "@" in url.netloc or url.query or url.fragment:
        raise ValueError("endpoint holds a user name, a query or a fragment: leave it out")
    return endpoint.rstrip("/")


def _check_number(name: str, value: object, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ValueError(f"{name} has to be a number from {least} to {most}")
    return value


class ImprintServer:
    """A client of your Imprint service, to be made once; safe to share between threads.

    Its arguments are checked at once: ValueError names a wrong one. The key stays inside.
    """

    def __init__(
        self,
        endpoint: str,
        api_key: str,
        *,
        timeout_seconds: float = 2.0,
        attempt_timeout_seconds: Optional[float] = None,
        retries: int = 2,
    ) -> None:
        if not isinstance(api_key, str) or api_key == "":
            raise ValueError("api_key is missing. Is the environment variable set that holds your server key (svc_live_…)?")
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("api_key holds a blank, a line break or another character of no key")
        if api_key.startswith("env_"):
            raise ValueError("api_key is an environment id. Give the server key (svc_live_…)")
        timeout = _check_number("timeout_seconds", timeout_seconds, 0.001, 86_400)
        attempt = timeout / 2 if attempt_timeout_seconds is None else attempt_timeout_seconds
        self._transport = _Transport(
            _check_endpoint(endpoint),
            api_key,
            timeout,
            _check_number("attempt_timeout_seconds", attempt, 0.0005, 86_400),
            int(_check_number("retries", retries, 0, 10)),
        )

    def __repr__(self) -> str:
        return "<ImprintServer>"

    def report(
        self, imprint: str, *, account_ref: Optional[str] = None, acceptance: Optional[str] = None
    ) -> ReportRead:
        """Reads the Report. Raises ImprintServerError."""
        return ReportRead(**self._read(imprint, account_ref, acceptance))

    def _read(self, imprint: object, account_ref: Optional[str], acceptance: Optional[str]) -> Dict[str, Any]:
        known = _require_imprint(imprint)
        headers = {}
        if account_ref:
            if not isinstance(account_ref, str) or not _ACCOUNT_REF_PATTERN.fullmatch(account_ref):
                raise ImprintServerError(
                    "invalid_account_ref", "account_ref has to be 1 to 128 printable ASCII characters"
                )
            headers["X-Account-Ref"] = account_ref
        if acceptance is not None:
            if not isinstance(acceptance, str) or not _ACCEPTANCE_PATTERN.fullmatch(acceptance):
                raise ImprintServerError(
                    "invalid_request", "acceptance has to be 1 to 128 visible ASCII characters without spaces"
                )
            headers["Imprint-Acceptance"] = acceptance
        answer = self._transport.ask(f"/api/v1/fingerprint/report/{known}", headers)
        if not _is_report_of(known, answer.body):
            raise ImprintServerError(
                "bad_response", "The endpoint answered with something other than this Report", status=200
            )
        return _describe(answer.body, answer.headers)

    def history(
        self,
        imprint: str,
        *,
        days: Optional[int] = None,
        from_day: Optional[str] = None,
        to_day: Optional[str] = None,
        recent: Optional[int] = None,
    ) -> History:
        """Reads the visits of the device behind an imprint (Pro and Enterprise). Raises ImprintServerError."""
        known = _require_imprint(imprint)
        given = {"days": days, "from": from_day, "to": to_day, "recent": recent}
        query = urllib.parse.urlencode({name: value for name, value in given.items() if value is not None})
        path = f"/api/v1/fingerprint/imprint/{known}/history"
        body: Any = self._transport.ask(f"{path}?{query}" if query else path, {}).body
        is_history = (
            body.get("imprint") == known
            and isinstance(body.get("summary"), dict)
            and isinstance(body.get("timeline"), list)
            and isinstance(body.get("recent"), list)
        )
        if not is_history:
            raise ImprintServerError(
                "bad_response", "The endpoint answered with something other than this History", status=200
            )
        history: History = body
        return history

    def accept_imprint(
        self,
        imprint: object,
        *,
        surface: Union[str, Sequence[str]],
        origin: Union[str, Sequence[str]],
        max_age_seconds: float = 300,
        once: bool = True,
        acceptance: Optional[str] = None,
        address: Union[str, None, _LeftOut] = _LEFT_OUT,
        account_ref: Optional[str] = None,
    ) -> Acceptance:
        """Whether an imprint is evidence for this action: made by a page of yours, for this action, just now, and used
        for nothing else. Never raises, also when Imprint does not answer.

        `acceptance` is an id of the action: asked again with the same id, the imprint is accepted again. `address` is
        that of the request, as your framework says it: the same IPv4 address, or one of the same IPv6 network (/64).
        Leave it out and nothing is compared.
        """
        try:
            if imprint is None or imprint == "":
                return _refuse("missing")
            if not isinstance(imprint, str) or len(imprint) > 64 or not _IMPRINT_PATTERN.fullmatch(imprint):
                return _refuse("malformed")
            expected = _parse_expected(surface, origin, max_age_seconds, once, acceptance, address)
            if isinstance(expected, str):
                return _refuse("misconfigured", expected)
            sent = secrets.token_hex(16) if acceptance is None and once else acceptance
            read = Accepted(**self._read(imprint, account_ref, sent))
            return expected.fault_of(read) or read
        except ImprintServerError as error:
            return _refuse_for(error)
        except Exception:  # whatever a visitor or a library does, the site goes on
            return _refuse("unavailable")
