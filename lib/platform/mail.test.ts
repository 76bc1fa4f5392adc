import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";

import { makeCertificate } from "@/test/certificate";
import { startMailServer } from "@/test/mail-server";
import { isRefusedForGood, isReplyLost, reachMailServer, sendMail, sendMails, withTimeouts } from "./mail";

const LINK = `https://imprint.example/sign-in/confirm?token=${"0123456789abcdef".repeat(4)}&email=zo%C3%AB%40example.com`;

test("a mail arrives unchanged: a long link unbroken, and non-Latin text intact", async () => {
  const { url, mails } = await startMailServer();
  const text = `Öffnen Sie:\n\n${LINK}\n\n見本 👩‍💻`;
  await sendMail(url, { to: "zoe@example.com", subject: "Alert: Überfall 見本", text });
  expect(mails).toEqual([
    {
      to: "zoe@example.com",
      from: "no-reply@localhost",
      subject: "Alert: Überfall 見本",
      text: expect.stringContaining(text) as string,
    },
  ]);
});

test("a line break in a subject adds neither headers nor text", async () => {
  const { url, mails } = await startMailServer();
  const subject = "Alert\r\nBcc: eve@example.com\r\n\r\nanother text";
  await sendMail(url, { to: "zoe@example.com", subject, text: "text" });
  expect(mails).toMatchObject([{ to: "zoe@example.com", subject: "Alert Bcc: eve@example.com  another text" }]);
  expect(mails[0]?.text.trim()).toBe("text");
});

test.each([
  "zoe@example.com\r\nRCPT TO:<eve@example.com>",
  "zoe@example.com, eve@example.com",
  "zoe@example.com <eve@example.com>",
  "eve@example.com;zoe@example.com",
])("%j is treated as one address or none: no one else gets the mail", async (to) => {
  const { url, mails } = await startMailServer();
  await sendMails(url, [{ to, subject: "Alert", text: "text" }]);
  expect(mails.map((mail) => mail.to)).not.toContain("eve@example.com");
});

test("each mail has its own outcome, and a permanent refusal is distinguished from a temporary one", async () => {
  const { url, mails, refused } = await startMailServer();
  refused.set("gone@example.com", 550).set("full@example.com", 452);
  const addresses = ["a@example.com", "gone@example.com", "full@example.com", "b@example.com"];
  const outcomes = await sendMails(
    url,
    addresses.map((to) => ({ to, subject: "Alert", text: "text" })),
  );
  expect(outcomes.map((outcome) => outcome.status === "rejected" && isRefusedForGood(outcome.reason))).toEqual([
    ...[false, true, false, false],
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(["a@example.com", "b@example.com"]);
});

test("a lost reply is distinguished from a refusal, and a mail sent again keeps its Message-ID, by which receivers drop a copy", async () => {
  const { url, messageIds, refused, cut } = await startMailServer();
  const mail = { to: "zoe@example.com", subject: "Alert", text: "text" };
  const isLost = async () => {
    const [outcome] = await sendMails(url, [mail]);
    return outcome?.status === "rejected" && isReplyLost(outcome.reason) && !isRefusedForGood(outcome.reason);
  };
  refused.set(mail.to, 452);
  expect(await isLost()).toBe(false);
  refused.clear();
  cut.add(mail.to);
  expect([await isLost(), await isLost()]).toEqual([true, true]);
  cut.clear();
  expect(await isLost()).toBe(false);
  await sendMail(url, { ...mail });
  expect(messageIds).toHaveLength(4);
  expect(new Set(messageIds.slice(0, 3)).size).toBe(1);
  expect(messageIds[3]).not.toBe(messageIds[0]);
});

test.each(["MAIL FROM", "RCPT TO"])(
  "a connection that ends after %s loses the mail, not the reply",
  async (command) => {
    const server = createServer((socket) => {
      socket.write("220 test\r\n");
      socket.on("data", (line) => {
        if (line.toString().startsWith(command)) socket.destroy();
        else socket.write("250 ok\r\n");
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo; // safe: it listens on a port
    const [outcome] = await sendMails(`smtp://127.0.0.1:${port}`, [
      { to: "zoe@example.com", subject: "Alert", text: "text" },
    ]);
    expect(outcome?.status === "rejected" && isReplyLost(outcome.reason)).toBe(false);
    expect(outcome?.status).toBe("rejected");
  },
);

test("the credentials in the URL are used, and a server that rejects them is no permanent refusal of the mail", async () => {
  const { port, mails } = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === "imprint@example.com" && password === "p:a/ss") done(null, { user: username });
      else done(new Error("wrong"));
    },
  });
  const mail = { to: "zoe@example.com", subject: "Alert", text: "text" };
  const at = (password: string) => `smtp://imprint%40example.com:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  await sendMail(at("p:a/ss"), mail);
  expect(mails).toHaveLength(1);
  expect(await reachMailServer(at("p:a/ss"), 5_000)).toBeUndefined();
  expect(await reachMailServer(at("other"), 5_000)).toContain("EAUTH");
  const [outcome] = await sendMails(at("other"), [mail]);
  expect(outcome?.status === "rejected" && isRefusedForGood(outcome.reason)).toBe(false);
  expect(mails).toHaveLength(1);
});

test("mail is sent over TLS if the server offers it, and never to a server with an untrusted certificate", async () => {
  let isSecure: boolean | undefined;
  const { url, mails } = await startMailServer({
    ...makeCertificate(),
    hideSTARTTLS: false,
    onMailFrom(_address, { secure }, done) {
      isSecure = secure;
      done();
    },
  });
  const mail = { to: "zoe@example.com", subject: "Alert", text: "text" };
  await expect(sendMail(url, mail)).rejects.toThrow(/certificate/);
  expect(mails).toEqual([]);
  await sendMail(`${url}?tls.rejectUnauthorized=false`, mail);
  expect([mails.length, isSecure]).toEqual([1, true]);
});

test("a server has ten seconds to accept the connection and to greet, a minute for each reply, or what its address says", async () => {
  const optionsOf = (smtpUrl: string): unknown =>
    Reflect.get(createTransport(withTimeouts(smtpUrl), {}).transporter, "options");
  expect(optionsOf("smtp://u%40x:p@127.0.0.1")).toMatchObject({
    ...{ connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 },
    ...{ host: "127.0.0.1", auth: { user: "u@x", pass: "p" } },
  });
  const given = optionsOf("smtp://127.0.0.1/?tls.rejectUnauthorized=false&greetingTimeout=300");
  expect(given).toMatchObject({ connectionTimeout: 10_000, greetingTimeout: 300 });
  const silent = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo; // safe: it listens on a port
  const mail = { to: "zoe@example.com", subject: "Alert", text: "text" };
  await expect(sendMail(`smtp://127.0.0.1:${port}?greetingTimeout=300`, mail)).rejects.toThrow("Greeting");
});

test("a server that accepts the connection but never answers times out", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo; // safe: it listens on a port
  expect(await reachMailServer(`smtp://127.0.0.1:${port}`, 300)).toBeDefined();
});
