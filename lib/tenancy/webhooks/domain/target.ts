const MAX_LENGTH = 2048;

/** Ports to which `fetch` connects by no scheme. Source: Fetch standard, "port blocking". */
const BLOCKED_PORTS = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 " +
    "135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 " +
    "995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

/**
 * The address of an endpoint as it is stored, or what is wrong with it in words. Where it leads is found out when
 * something is sent: names may point elsewhere by then.
 */
export function parseTarget(text: string, mayBePlain: boolean): { url: string } | string {
  if (text.length > MAX_LENGTH) return `An address has at most ${MAX_LENGTH} characters`;
  if (!URL.canParse(text)) return "That is not an address such as https://shop.example/imprint-events";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(mayBePlain && url.protocol === "http:"))
    return "Messages are sent over https only: the address starts with https://";
  if (url.username !== "" || url.password !== "") return "The address holds no user name or password";
  if (url.hash !== "") return "The address holds no fragment (#…): it would not be sent";
  if (BLOCKED_PORTS.has(url.port))
    return `Nothing is sent to port ${url.port}, which is another protocol's: take another one`;
  return { url: url.href };
}
