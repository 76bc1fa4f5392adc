import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addressOn, parseAddress } from "./address";

const ONE = { host: "db.example", port: 5433 };
const PARSED = {
  servers: [ONE],
  ...{ user: "ada", password: "s@crt", database: "imprint", tls: new Map(), settings: {} },
};
const PLAIN = "postgres://ada:s%40crt@db.example:5433/imprint";

describe("database URLs as hosting providers and psql write them", () => {
  test.each([
    [PLAIN, {}],
    [` ${PLAIN.replace("postgres:", "postgresql:")}\n`, {}],
    [`${PLAIN}?application_name=shop&keepalives=1&connect_timeout=15`, { settings: { application_name: "shop" } }],
    [`${PLAIN}?options=endpoint%3Dep-7`, { settings: { options: "endpoint=ep-7" } }],
    // A plus sign is no blank, unlike in forms.
    [`${PLAIN}?password=a+b%20c&options=-c+x`, { password: "a+b c", settings: { options: "-c+x" } }],
    [`${PLAIN}?pgbouncer=true&connection_limit=1&supa=base-pooler.x`, {}],
    [`${PLAIN}?sslmode=verify-full`, { tls: new Map([["sslmode", "verify-full"]]) }],
    [`${PLAIN}?user=ada%40tenant&password=&dbname=other`, { user: "ada@tenant", database: "other" }],
    ["postgres://ada:s@crt@db.example:5433/imprint", {}],
    ["postgres://ada:s%40crt@db.example:5433/my%20data", { database: "my data" }],
    ["postgres://ada:s%40crt@[fd00::7]:5433/imprint", { servers: [{ host: "fd00::7", port: 5433 }] }],
    ["postgres://ada:s%40crt@%2Frun%2Fpg:5433/imprint", { servers: [{ host: "/run/pg", port: 5433 }] }],
    ["postgres://ada:s%40crt@/imprint?host=/run/pg", { servers: [{ host: "/run/pg", port: undefined }] }],
    [
      "postgres://ada:s%40crt@one:5433,[::1],two:5434/imprint?target_session_attrs=read-write",
      {
        servers: [
          { host: "one", port: 5433 },
          { host: "::1", port: undefined },
          { host: "two", port: 5434 },
        ],
      },
    ],
    [
      "postgres://ada:s%40crt@/imprint?host=one,two&port=5433",
      {
        servers: [
          { host: "one", port: 5433 },
          { host: "two", port: 5433 },
        ],
      },
    ],
    [
      "postgres://",
      {
        servers: [{ host: "", port: undefined }],
        ...{ user: undefined, password: undefined, database: undefined },
      },
    ],
  ])("%s", (address, differing) => {
    expect(parseAddress(address)).toEqual({ ...PARSED, ...differing });
  });

  test.each([
    ["postgres://ada:s%40crt@db.example:port/imprint", "is invalid: expected postgres://USER:PASSWORD@HOST"],
    ["postgres://ada:s%40crt@db.example:70000/imprint", "is invalid"],
    ["postgres://ada:s%crt@db.example/imprint", "percent-encoded"],
    ["postgres://ada:s%40crt@db.example/imprint#main", "is invalid"],
    ["postgres://ada:s%40crt@/imprint?host=one,two&port=1,2,3", "is invalid"],
    ["mysql://ada:s%40crt@db.example/imprint", "is invalid"],
    [`${PLAIN}?sslmode=verify-full&sslcrl=crl.pem`, "the parameter sslcrl, which Imprint does not support: remove it"],
    [`${PLAIN}?service=main`, "the parameter service"],
  ])("%s is refused with a message that does not reveal the password", (address, words) => {
    const refused = () => parseAddress(address);
    expect(refused).toThrow(words);
    expect(refused).not.toThrow(/crt/);
  });

  test("any role, password, database and settings survive encoding and parsing", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    const server = fc.record({ host: fc.domain(), port: fc.integer({ min: 1, max: 65_535 }) });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.array(server, { minLength: 1 }),
        (user, password, database, options, servers) => {
          const role = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
          const list = servers.map(({ host, port }) => `${host}:${port}`).join(",");
          const address = `postgres://${role}@${list}/${encodeURIComponent(database)}?options=${encodeURIComponent(options)}`;
          const rest = { user, password, database, tls: new Map(), settings: { options } };
          expect(parseAddress(address)).toEqual({ servers, ...rest });
          expect(parseAddress(addressOn(address, ONE))).toEqual({ servers: [ONE], ...rest });
        },
      ),
    );
  });
});
