import { env } from "./env";
import { failureText } from "./failure-text";
import { problemWithin } from "./problem-within";

const REACH_TIMEOUT_MS = 10_000;
/**
 * Servers often scan a message before their last reply; giving up earlier would send it again.
 * Source: RFC 5321, section 4.5.3.2.6.
 */
const REPLY_TIMEOUT_MS = 60_000;
const TIMEOUTS = {
  connectionTimeout: REACH_TIMEOUT_MS,
  greetingTimeout: REACH_TIMEOUT_MS,
  socketTimeout: REPLY_TIMEOUT_MS,
};
/** Mail servers reject clients that open many. */
const CONNECTIONS = 3;

/** Loaded on first use: most processes send no mail. */
const loadMailer = () => import("nodemailer");

export type Mail = { to: string; subject: string; text: string };

/** Adds timeouts to the address unless it sets them: given an address, the library reads settings from nowhere else. */
export function withTimeouts(smtpUrl: string): string {
  const missing = Object.entries(TIMEOUTS).filter(([name]) => !new RegExp(`[?&]${name}=`).test(smtpUrl));
  const query = missing.map(([name, timeoutMs]) => `${name}=${timeoutMs}`).join("&");
  return `${smtpUrl}${smtpUrl.includes("?") ? "&" : "?"}${query}`;
}

async function openMailer(smtpUrl: string) {
  const { createTransport } = await loadMailer();
  return createTransport(withTimeouts(smtpUrl), { from: env.SMTP_FROM });
}

/** By which receivers recognise a mail that is sent again. */
const messageIds = new WeakMap<Mail, string>();
/** Errors of the library for a reply that refuses the recipient or the content. */
const REFUSALS: ReadonlySet<string> = new Set(["EENVELOPE", "EMESSAGE"]);
const REPLY_LOST = "EREPLYLOST";
const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");

/** One connection for each mail, as the library does. */
async function send(smtpUrl: string, mail: Mail): Promise<void> {
  const mailer = await openMailer(smtpUrl);
  const sent = { isWhole: false };
  mailer.use("stream", ({ message }, done) => {
    messageIds.set(mail, message.messageId());
    // Nothing is read before the server has accepted the recipient and asked for the message.
    message.processFunc((content) => content.once("end", () => (sent.isWhole = true)));
    done();
  });
  try {
    await mailer.sendMail({ ...mail, messageId: messageIds.get(mail), to: { name: "", address: mail.to } });
  } catch (error) {
    if (!sent.isWhole || REFUSALS.has(codeOf(error))) throw error;
    const message = "the mail server received the mail, but not whether it accepts it";
    throw Object.assign(new Error(message, { cause: error }), { code: REPLY_LOST });
  } finally {
    mailer.close();
  }
}

/**
 * Sends each mail separately, to exactly the one address `to`, over a few connections. A mail sent again keeps its
 * Message-ID.
 */
export async function sendMails(smtpUrl: string, mails: readonly Mail[]): Promise<PromiseSettledResult<void>[]> {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (let begun = 0; begun < mails.length; begun += CONNECTIONS) {
    const part = mails.slice(begun, begun + CONNECTIONS);
    outcomes.push(...(await Promise.allSettled(part.map((mail) => send(smtpUrl, mail)))));
  }
  return outcomes;
}

/** @throws the error of the mail server or of the connection to it */
export async function sendMail(smtpUrl: string, mail: Mail): Promise<void> {
  const [outcome] = await sendMails(smtpUrl, [mail]);
  if (outcome?.status === "rejected") throw outcome.reason;
}

/** Whether the mail server permanently rejects this mail, because of its recipient or its content. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof Error && REFUSALS.has(codeOf(error)) && "responseCode" in error && Number(error.responseCode) >= 500;

/** Whether the mail server may have accepted this mail: the connection ended after the whole mail, before the reply. */
export const isReplyLost = (error: unknown): boolean => codeOf(error) === REPLY_LOST;

/**
 * The reason why the mail server is unreachable or refuses our credentials, waiting as long as for its greeting when mail
 * is sent; undefined if neither. Sends nothing.
 */
export async function reachMailServer(smtpUrl: string, timeoutMs = REACH_TIMEOUT_MS): Promise<string | undefined> {
  const transport = await openMailer(smtpUrl);
  const problem = await problemWithin(timeoutMs, transport.verify(), (error) => failureText(error) ?? "unknown");
  transport.close();
  return problem;
}
