import { expect, test } from "vitest";

import { downloadHref, fileOf } from "./download";

const HOME = `/w/ws_${"0".repeat(32)}`;

test("the page of a file knows the file and its workspace", () => {
  const file = `${HOME}/reports/export?format=csv&of=192.0.2.0%2F24`;
  const of = new URL(downloadHref(file), "http://service").searchParams.get("of");
  expect(fileOf(of)).toEqual({ file, home: HOME });
});

test.each([
  undefined,
  [HOME],
  "",
  "/",
  HOME,
  `${HOME}/`,
  `https://elsewhere.example${HOME}/reports/export`,
  `//elsewhere.example${HOME}/reports/export`,
  `\\\\elsewhere.example${HOME}/reports/export`,
  `javascript:alert(1)//${HOME}/x`,
  `${HOME}/../../api/auth/signout`,
  "/w/ws_1/reports/export",
  "http://",
])("%j is not the address of a file", (of) => {
  expect(fileOf(of)).toBeUndefined();
});
