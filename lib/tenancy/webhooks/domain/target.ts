const MAX_LENGTH = 2048;

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
  return { url: url.href };
}
