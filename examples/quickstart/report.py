# curl --output imprint_server.py https://imprint.example.com/v1/imprint_server-0.3.1.py
import os

from imprint_server import Acceptance, ImprintServer

imprint = ImprintServer("https://imprint.example.com", os.environ["IMPRINT_KEY"])


def accept_sign_in(field: object) -> Acceptance:
    """Whether what came in the form is evidence for this sign-in: an imprint of your own page, made for this action just
    now and used for nothing else. Never raises, and your sign-in goes on: a refusal says why there is no Report.
    """
    return imprint.accept_imprint(field, surface="sign-in", origin="http://localhost:8080")  # your page's origin
