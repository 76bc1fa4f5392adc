import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Button } from "./button";

test("a button whose action still runs says so, and keeps the focus", () => {
  const pending = renderToStaticMarkup(<Button isPending>Send</Button>);
  expect(pending).toContain('aria-disabled="true"');
  expect(pending).not.toContain('disabled=""');
  expect(pending).toContain('aria-busy="true"');
});

test("a button that only lacks its input keeps the focus, too, but does not pretend to work", () => {
  const disabled = renderToStaticMarkup(<Button disabled>Send</Button>);
  expect(disabled).toContain('aria-disabled="true"');
  expect(disabled).not.toContain(' disabled=""');
  expect(disabled).not.toContain('aria-busy="');
  expect(renderToStaticMarkup(<Button isPending={false}>Send</Button>)).not.toContain('disabled=""');
});
