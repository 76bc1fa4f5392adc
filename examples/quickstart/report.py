import http.client, json, os, re, urllib.error, urllib.parse, urllib.request

SERVICE = "https://imprint.example.com"


def read_report(imprint):
    """Reads the Report of an imprint. Never raises: without a Report, the problem says why, and your sign-in goes on.

    "no_imprint": the form held none. "unreachable": no answer in 2 seconds. Anything else is an error.code.
    """
    # What a visitor sends is checked before it becomes part of an address.
    if not re.fullmatch(r"imp_[0-9a-f]{32}", imprint or ""):
        return None, "no_imprint"
    request = urllib.request.Request(
        f"{SERVICE}/api/v1/fingerprint/report/{urllib.parse.quote(imprint, safe='')}",
        headers={"X-API-Key": os.environ.get("IMPRINT_KEY", "")},
    )
    try:
        with urllib.request.urlopen(request, timeout=2) as answer:
            return json.load(answer), None
    except urllib.error.HTTPError as refusal:
        try:
            return None, json.load(refusal)["error"]["code"]
        except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
            return None, "unreachable"
    except (OSError, ValueError, http.client.HTTPException) as error:
        print("Imprint did not answer:", error)
        return None, "unreachable"
