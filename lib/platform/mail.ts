import { env } from "./env";
import { problemWithin } from "./problem-within";

const TIMEOUT_MS = 10_000;

/** Loaded with the first mail: most processes send none. */
const loadMailer = () => import("nodemailer");

type Mail = { to: string; subject: string; text: string };

/** Sends a mail; every step times out after ten seconds. */
export async function sendMail(smtpUrl: string, mail: Mail): Promise<void> {
  const { createTransport } = await loadMailer();
  const transport = createTransport(smtpUrl, {
    from: env.SMTP_FROM,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.sendMail(mail);
  } finally {
    transport.close();
  }
}

/** Whether the mail server answers and lets us in; the reason if it does not. Nothing is sent. */
export async function reachMailServer(smtpUrl: string, timeoutMs: number): Promise<string | undefined> {
  const { createTransport } = await loadMailer();
  const transport = createTransport(smtpUrl, {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
  const problem = await problemWithin(timeoutMs, transport.verify(), codeOf);
  transport.close();
  return problem;
}
