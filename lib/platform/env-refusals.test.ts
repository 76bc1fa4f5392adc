import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Loads the module with these environment variables. */
async function startWith(variables: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return await import("./env");
}

/** The start-up error with one variable set; undefined when it starts. */
async function refusalOf(name: string, value: string): Promise<string | undefined> {
  try {
    await startWith({ [name]: value });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const PROVIDERS = ["OIDC_ISSUER", "GOOGLE_ISSUER", "GITHUB_URL"];

test.each(PROVIDERS)("%s over http is refused for a remote host, and the message says what to do", async (name) => {
  for (const url of [
    "http://id.example",
    "http://10.0.0.7:8080/realms/x",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://keycloak:8080",
    "http://[::ffff:10.0.0.7]/",
    "http://user@localhost@evil.example/",
  ]) {
    const refusal = await refusalOf(name, url);
    expect([url, refusal]).toEqual([url, expect.stringContaining(`  ${name}: must be an https URL`)]);
    expect(refusal).not.toContain(url);
  }
});

test.each(PROVIDERS)("%s may be https anywhere, and http on the loopback interface", async (name) => {
  for (const url of [
    "https://id.example/realms/x",
    "HTTPS://id.example",
    "http://localhost:8080/x",
    "http://id.localhost:8080",
    "http://127.0.0.1:9",
    "http://127.9.9.9",
    "http://[::1]:9/",
  ])
    expect([url, await refusalOf(name, url)]).toEqual([url, undefined]);
});

test("an invalid variable is named, and its value is not repeated", async () => {
  const refusal = await refusalOf("KEKS", "my secret");
  expect(refusal).toBe("The environment is not valid.\n  KEKS: expected kid:base64[,kid:base64]");
});

test.each([
  ["https://Imprint.Example.com", "https://imprint.example.com"],
  ["https://imprint.example.com:443/", "https://imprint.example.com"],
  ["HTTP://LOCALHOST:3000", "http://localhost:3000"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
])("BASE_URL=%s is %s, as browsers and clients write it", async (given, written) => {
  vi.resetModules();
  vi.stubEnv("BASE_URL", given);
  const { baseUrl } = await import("./env");
  expect(baseUrl()).toBe(written);
});

test.each(["https://a.example/?x=1", "https://a.example/#x", "https://user:secret@a.example", "a.example"])(
  "BASE_URL=%s is refused",
  async (given) => {
    expect(await refusalOf("BASE_URL", given)).toContain("  BASE_URL: ");
  },
);

test("surrounding whitespace is trimmed, except in secrets whose digest is in the database", async () => {
  const secret = `${"s".repeat(32)}\n`;
  const given = {
    DATA_DIR: " /data\r",
    BACKUP_PASSPHRASE: "correct horse\n",
    KEKS: "k1:AAAA\n",
    WORKERS: " ",
    AUTH_SECRET: secret,
  };
  const { env } = await startWith(given);
  expect(env).toMatchObject({ DATA_DIR: "/data", BACKUP_PASSPHRASE: "correct horse", KEKS: "k1:AAAA", WORKERS: 1 });
  expect(env.AUTH_SECRET).toBe(secret);
});

test.each(["DATABASE_URL", "DATABASE_READ_URL", "REDIS_URL", "SMTP_URL"])(
  "%s with a password that cannot be percent-decoded is refused, and the message says what to do",
  async (name) => {
    const scheme = { REDIS_URL: "redis", SMTP_URL: "smtp" }[name] ?? "postgres";
    expect(await refusalOf(name, `${scheme}://ada:100%secret@host.example/x`)).toBe(
      `The environment is not valid.\n  ${name}: write a literal \`%\`, as in a password, as \`%25\``,
    );
    expect(await refusalOf(name, `${scheme}://ada%40a.example:100%25secret@host.example/x`)).toBeUndefined();
    expect(await refusalOf(name, `${scheme}://host.example`)).toBeUndefined();
    expect(await refusalOf(name, "host.example")).toMatch(
      new RegExp(`^[^\n]*\n  ${name}: (Invalid URL|expected postgres:)`),
    );
  },
);

test.each(["DATABASE_URL", "DATABASE_READ_URL"])(
  "%s that the service cannot read is named at the start",
  async (name) => {
    const refused = await refusalOf(name, "postgres://ada:secret-word@host.example:port/x");
    expect(refused).toMatch(new RegExp(`^[^\n]*\n  ${name}: The database URL is invalid: expected`));
    expect(refused).not.toContain("secret-word");
    expect(await refusalOf(name, "postgres://ada@host.example/x?sslcrl=file")).toMatch(
      new RegExp(`^[^\n]*\n  ${name}: The database URL has the parameter sslcrl`),
    );
    for (const right of [
      "postgres://ada@one,two:5433/x",
      "postgres:///x?host=/run/postgresql",
      "postgresql://[::1]:5432/x",
    ])
      expect(await refusalOf(name, right)).toBeUndefined();
  },
);

test.each(["localhost:3000", "htp://imprint.example", "https://imprint.example:99999"])(
  "BASE_URL=%s is refused with an example of a right one",
  async (text) => {
    expect(await refusalOf("BASE_URL", text)).toBe(
      "The environment is not valid.\n  BASE_URL: Invalid URL: expected one such as https://imprint.example, or http://…",
    );
  },
);
