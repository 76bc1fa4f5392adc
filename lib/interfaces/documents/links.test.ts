import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import { expect, test } from "vitest";

import { ERRORS } from "@/lib/contract/errors";

const ROOT = process.cwd();
const SERVED_PAGES = ["/docs", "/docs/api", "/docs/reasons", "/docs/errors", "/docs/search", "/demo"];

const markdownUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file));

const FILES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith(".md")),
  ...markdownUnder("docs"),
  ...markdownUnder("examples"),
];

const withoutCode = (markdown: string) => markdown.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** The ids of a document's headings, as GitHub and the docs pages make them. */
function anchorsOf(file: string): Set<string> {
  const markdown = readFileSync(join(ROOT, file), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
  const anchors = new Set<string>();
  for (const [, heading = ""] of markdown.matchAll(/^#{1,6}\s+(.+?)\s*$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const id = text.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
    let [unique, next] = [id, 1];
    while (anchors.has(unique)) unique = `${id}-${next++}`;
    anchors.add(unique);
  }
  return anchors;
}

function isServed(path: string): boolean {
  const code = /^\/docs\/errors\/(\w+)$/.exec(path)?.[1];
  return code === undefined ? SERVED_PAGES.includes(path) : Object.hasOwn(ERRORS, code);
}

/** What is wrong with a link of a file; undefined when it leads where it says. */
function faultOf(file: string, link: string): string | undefined {
  if (/^(https?:|mailto:|\{\{base_url\}\})/.test(link)) return undefined;
  const [path = "", anchor] = link.split("#");
  if (path.startsWith("/")) return isServed(path) ? undefined : "is no page of the service";
  const target = path === "" ? file : relative(ROOT, join(ROOT, dirname(file), path));
  if (!existsSync(join(ROOT, target))) return "leads to no file";
  if (anchor === undefined) return undefined;
  if (statSync(join(ROOT, target)).isDirectory() || !target.endsWith(".md")) return "has an anchor without headings";
  return anchorsOf(target).has(anchor) ? undefined : `leads to no heading of ${target}`;
}

test.each(FILES)("every link of %s leads to a file, a heading or a page that there is", (file) => {
  const links = [...withoutCode(readFileSync(join(ROOT, file), "utf8")).matchAll(/\]\(([^)\s]+)\)/g)];
  const faults = links.flatMap(([, link = ""]) => {
    const fault = faultOf(file, link);
    return fault === undefined ? [] : [`${link} ${fault}`];
  });
  expect(faults).toEqual([]);
});

test("a file, a heading and a page that there is not are found out", () => {
  expect(faultOf("docs/risk.md", "networks.md")).toBe("leads to no file");
  expect(faultOf("docs/risk.md", "network.md#no-such-part")).toBe("leads to no heading of docs/network.md");
  expect(faultOf("docs/risk.md", "/docs/network.md")).toBe("is no page of the service");
  expect(faultOf("docs/risk.md", "/docs/errors/no_such_code")).toBe("is no page of the service");
});
