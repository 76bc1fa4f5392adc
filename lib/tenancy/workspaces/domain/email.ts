const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The lower-case form of an e-mail address, or undefined if the text is not exactly one plain address.
 * ASCII only: look-alike characters must not reach another person's mailbox.
 * Source: RFC 5321, section 4.5.3.1 for the lengths.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.toLowerCase();
  const at = email.indexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  if (at < 1 || email.length > 254 || local.length > 64 || !/^[\x21-\x7e]+$/.test(text)) return undefined;
  return LOCAL.test(local) && domain.split(".").every((label) => LABEL.test(label)) ? email : undefined;
}
