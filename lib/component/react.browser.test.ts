import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { bundle, launchForPages, SAMPLE_ENVIRONMENT_ID, SAMPLE_IMPRINT, type Site, startSite } from "@/test/browser";

/**
 * A page whose hook is at `window.hook`; `render(options)` gives it others. A child runs the component in an effect
 * each time that the options change, when `window.isEager`.
 */
const SOURCE = `
  import { createElement, StrictMode, useEffect } from "react";
  import { createRoot } from "react-dom/client";
  import { flushSync } from "react-dom";
  import { useImprint } from "@/lib/component/react";
  function Child({ run }) {
    useEffect(() => { if (window.isEager) run().catch(() => undefined); }, [run]);
    return null;
  }
  function Form({ options }) {
    window.hook = useImprint(options);
    return createElement(Child, { run: window.hook.run });
  }
  const root = createRoot(document.body);
  window.render = (options) => flushSync(() => root.render(createElement(StrictMode, null, createElement(Form, { options }))));
`;

type Hook = {
  run: (options: { surface: string }) => Promise<unknown>;
  status: string;
  imprint: string | null;
  error: { code: string } | null;
};
type Globals = { hook: Hook; render: (options: object) => void; isEager: boolean };

const LATER_IMPRINT = `imp_${"11ee".repeat(8)}`;
const OTHER_ENVIRONMENT_ID = `env_${"f".repeat(32)}`;

let browser: Browser;
let script: string;
let site: Site;
let page: Page;
/** Answers the submissions of the surface `slow`, which wait for it. */
let answerSlow: () => void;

beforeAll(async () => {
  [browser, script] = await Promise.all([launchForPages(), bundle(SOURCE)]);
});

afterAll(() => browser.close());

beforeEach(async () => {
  site = await startSite();
  const slow = new Promise<void>((resolve) => {
    answerSlow = resolve;
  });
  site.submit = async ({ body }) => {
    if (!body.includes('"surface":"slow"')) return { status: 201, body: { imprint: LATER_IMPRINT } };
    await slow;
    return { status: 201, body: { imprint: SAMPLE_IMPRINT } };
  };
  site.page("/", `<!doctype html><body><script src="/app.js"></script>`);
  site.page("/app.js", script);
  page = await browser.newPage();
  await page.goto(site.pageOrigin);
  await render({});
  return async () => {
    await page.close();
    await site.close();
  };
});

const render = (more: object) =>
  page.evaluate(
    (options) => {
      const globals: unknown = globalThis;
      (globals as Globals).render(options);
    },
    { environmentId: SAMPLE_ENVIRONMENT_ID, endpoint: site.serviceOrigin, ...more },
  );

/** Begins a run and keeps what it comes to as `window[surface]`. */
const begin = (surface: string) =>
  page.evaluate((name) => {
    const globals: unknown = globalThis;
    void (globals as Globals).hook
      .run({ surface: name })
      .then((result) => Object.assign(globalThis, { [name]: result }));
  }, surface);

const outcomeOf = (surface: string) => page.evaluate((name): unknown => Reflect.get(globalThis, name), surface);

const shown = () =>
  page.evaluate(() => {
    const globals: unknown = globalThis;
    const { status, imprint, error } = (globals as Globals).hook;
    return [status, imprint, error?.code ?? null];
  });

test("of runs that overlap the last one is shown, whichever is answered last; each caller has its own", async () => {
  await begin("slow");
  await begin("quick");
  await expect.poll(shown).toEqual(["done", LATER_IMPRINT, null]);

  answerSlow();

  await expect.poll(() => outcomeOf("slow")).toEqual({ imprint: SAMPLE_IMPRINT });
  expect(await shown()).toEqual(["done", LATER_IMPRINT, null]);
});

test("an imprint of other options is not shown, whether it was there before they changed or comes after", async () => {
  await begin("quick");
  await expect.poll(shown).toEqual(["done", LATER_IMPRINT, null]);
  await render({ environmentId: OTHER_ENVIRONMENT_ID });
  expect(await shown()).toEqual(["idle", null, null]);

  await begin("slow");
  await render({});
  answerSlow();

  await expect.poll(() => outcomeOf("slow")).toEqual({ imprint: SAMPLE_IMPRINT });
  expect(await shown()).toEqual(["idle", null, null]);
});

test("options that mean the same keep the outcome", async () => {
  await begin("quick");
  await expect.poll(shown).toEqual(["done", LATER_IMPRINT, null]);

  await render({});

  expect(await shown()).toEqual(["done", LATER_IMPRINT, null]);
});

test("a run in the effect of a child has the options of its own rendering", async () => {
  await page.evaluate("window.isEager = true");

  await render({ environmentId: OTHER_ENVIRONMENT_ID });

  await expect.poll(shown).toEqual(["done", LATER_IMPRINT, null]);
  expect(site.submissions().map(({ body }) => (JSON.parse(body) as { environment_id: string }).environment_id)).toEqual(
    [OTHER_ENVIRONMENT_ID],
  );
});
