import { env } from "./env";
import { problemWithin } from "./problem-within";

const TIMEOUT_MS = 10_000;
/** Mail servers reject clients that open many. */
const CONNECTIONS = 3;

/** Loaded on first use: most processes send no mail. */
const loadMailer = () => import("nodemailer");

export type Mail = { to: string; subject: string; text: string };

const timeouts = (timeoutMs: number) => ({
  connectionTimeout: timeoutMs,
  greetingTimeout: timeoutMs,
  socketTimeout: timeoutMs,
});

/** Sends each mail separately, to exactly the one address `to`, over a few connections. Every step times out after ten seconds. */
export async function sendMails(smtpUrl: string, mails: readonly Mail[]): Promise<PromiseSettledResult<unknown>[]> {
  const { createTransport } = await loadMailer();
  const transport = createTransport(smtpUrl, { from: env.SMTP_FROM, ...timeouts(TIMEOUT_MS) });
  const outcomes: PromiseSettledResult<unknown>[] = [];
  for (let begun = 0; begun < mails.length; begun += CONNECTIONS) {
    const part = mails.slice(begun, begun + CONNECTIONS);
    outcomes.push(
      ...(await Promise.allSettled(
        part.map((mail) => transport.sendMail({ ...mail, to: { name: "", address: mail.to } })),
      )),
    );
  }
  transport.close();
  return outcomes;
}

/** @throws the error of the mail server or of the connection to it */
export async function sendMail(smtpUrl: string, mail: Mail): Promise<void> {
  const [outcome] = await sendMails(smtpUrl, [mail]);
  if (outcome?.status === "rejected") throw outcome.reason;
}

/** Whether the mail server permanently rejects this mail, because of its recipient or its content. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "EENVELOPE" || error.code === "EMESSAGE") &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;

/** The reason why the mail server is unreachable or refuses our credentials; undefined if neither. Sends nothing. */
export async function reachMailServer(smtpUrl: string, timeoutMs: number): Promise<string | undefined> {
  const { createTransport } = await loadMailer();
  const transport = createTransport(smtpUrl, timeouts(timeoutMs));
  const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
  const problem = await problemWithin(timeoutMs, transport.verify(), codeOf);
  transport.close();
  return problem;
}
