const MAX_LENGTH = 2048;

/** Ports to which `fetch` never connects. Source: Fetch standard, "port blocking". */
const BLOCKED_PORTS = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 " +
    "135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 " +
    "995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

/**
 * The URL of an endpoint in its stored form, or a message about what is wrong with it. The name is not resolved here but on
 * each delivery, since it may resolve differently by then.
 */
export function parseTarget(text: string, mayBePlain: boolean): { url: string } | string {
  if (text.length > MAX_LENGTH) return `A URL can have at most ${MAX_LENGTH} characters`;
  if (!URL.canParse(text)) return "That is not a URL such as https://shop.example/imprint-events";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(mayBePlain && url.protocol === "http:"))
    return "Messages are sent over https only: the URL must start with https://";
  if (url.username !== "" || url.password !== "") return "The URL must not contain a user name or password";
  if (url.hash !== "") return "The URL must not contain a fragment (#…): it would not be sent";
  if (BLOCKED_PORTS.has(url.port))
    return `Port ${url.port} is reserved for another protocol and blocked: use a different port`;
  return { url: url.href };
}
