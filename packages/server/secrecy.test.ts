import { inspect } from "node:util";

import { expect, test } from "vitest";

import { API_KEY, clientOf, failureOf, IMPRINT, startFakeService } from "./testing";

test("the key is in no error, whatever a proxy or a fetch repeats, and in no view of the client", async () => {
  const replies = [
    { error: { code: "auth_failed", message: `unknown key ${API_KEY}` } },
    { error: { code: "auth_failed", message: `${"x".repeat(470)} ${API_KEY}` } },
    { error: { code: API_KEY, message: API_KEY } },
  ];
  let calls = 0;
  const echo = await startFakeService(() => ({
    status: 401,
    headers: { "X-Request-Id": API_KEY },
    body: JSON.stringify(replies[calls++]),
  }));
  const failures = [];
  for (const _ of replies) failures.push(await failureOf(clientOf(echo.url).report(IMPRINT)));
  failures.push(
    await failureOf(
      clientOf(echo.url, {
        retries: 0,
        fetch: () => Promise.reject(Object.assign(new Error(`no ${API_KEY}`), { config: { headers: API_KEY } })),
      }).report(IMPRINT),
    ),
  );
  const views = [clientOf(echo.url), ...failures].flatMap((value) => [
    inspect(value, { depth: 10, showHidden: true }),
    JSON.stringify(value),
  ]);
  for (const view of [...views, ...failures.map(String)]) expect(view).not.toContain(API_KEY.slice(0, 20));
  await echo.close();
});
