import { expect, test } from "vitest";

import { splitAtFences } from "./fences";
import { fillIn } from "./samples";

test("text and code alternate, and adjacent blocks with titles form one piece", () => {
  const markdown = '# A\n\n```bash\nls\n```\n\nB\n\n```js title="One"\n1\n```\n\n```py title="Two"\n2\n\n3\n```\n';
  expect(splitAtFences(markdown)).toEqual([
    { kind: "text", markdown: "# A\n" },
    { kind: "code", fences: [{ language: "bash", title: undefined, code: "ls" }] },
    { kind: "text", markdown: "\nB\n" },
    {
      kind: "code",
      fences: [
        { language: "js", title: "One", code: "1" },
        { language: "py", title: "Two", code: "2\n\n3" },
      ],
    },
  ]);
});

test("a block inside a list, with other fence characters or without an end fails the build", () => {
  expect(() => splitAtFences("- a\n  ```sh\n  ls\n  ```\n")).toThrow(/left margin/);
  expect(() => splitAtFences("~~~\nls\n~~~\n")).toThrow(/left margin/);
  expect(() => splitAtFences("```sh\nls\n")).toThrow(/never closed/);
});

test("values are inserted literally, including replacement patterns", () => {
  const text = 'https://imprint.example.com/v1 {{base_url}} "env_…"';
  const values = { baseUrl: "http://$&.test", environmentId: "$1" };
  expect(fillIn(text, values)).toBe('http://$&.test/v1 http://$&.test "$1"');
  expect(fillIn(text, { baseUrl: "http://a.test" })).toContain('"env_…"');
});
