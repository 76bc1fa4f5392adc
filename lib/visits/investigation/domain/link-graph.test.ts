import fc from "fast-check";
import { expect, test } from "vitest";

import { type AddressKind, findGroups, GraphBuilder, type GraphNode, type LinkGraph } from "./link-graph";

const node = (kind: GraphNode["kind"], value: string, addressKind?: AddressKind): GraphNode => ({
  kind,
  value,
  step: 1,
  addressKind,
  sharedBy: undefined,
});

/** A graph from links written as `device account` or `device kind:address`. */
function graphOf(...links: string[]): LinkGraph {
  const graph = new GraphBuilder(150);
  for (const link of links) {
    const [device = "", other = ""] = link.split(" ");
    const [kind, address] = other.split(":");
    const to = address === undefined ? node("account", other) : node("address", address, kind as AddressKind); // as the tests write it
    graph.link(graph.add(node("device", device)), graph.add(to));
  }
  return graph.build();
}

const patterns = (...links: string[]) => findGroups(graphOf(...links)).map(({ pattern }) => pattern);

test.each<[string, string[], string[]]>([
  ["many accounts on one device are a ring", ["d a1", "d a2", "d a3", "d a4", "d a5"], ["ring"]],
  ["accounts that change devices with each other are a ring", ["d a1", "d a2", "e a2", "e a3"], ["ring"]],
  ["a couple that shares a computer is none", ["d a1", "d a2", "e a1", "f a2"], ["household"]],
  ["a family behind one home, each with an own device", ["d a1", "d home:h", "e a2", "e home:h"], ["household"]],
  ["one account on many devices is shared", ["d a", "e a", "f a", "g a", "h a"], ["shared_account"]],
  ["one person", ["d a", "d home:h", "d carrier:m"], ["single"]],
])("%s", (_name, links, expected) => {
  expect(patterns(...links)).toEqual(expected);
});

test.each<AddressKind>(["carrier", "office", "hosting", "proxy", "crowded"])(
  "colleagues and strangers who meet at an address of the kind %s alone are groups of their own",
  (kind) => {
    const links = Array.from({ length: 12 }, (_, at) => [`d${at} a${at}`, `d${at} ${kind}:x`]).flat();
    expect(patterns(...links)).toEqual(Array<string>(12).fill("single"));
  },
);

test("a ring in an office is distinguished from those who only share its address", () => {
  const ring = ["d a1", "d a2", "e a2", "e a3", "d office:x", "e office:x"];
  const others = ["f a7", "f office:x", "g a8", "g office:x"];
  expect(patterns(...ring, ...others)).toEqual(["ring", "single", "single"]);
});

test("every device and account is in exactly one group, whatever the links, and a graph never exceeds its limit", () => {
  const link = fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom("", "home:", "office:", "unknown:"));
  fc.assert(
    fc.property(fc.array(link, { maxLength: 60 }), (links) => {
      const graph = graphOf(...links.map(([device, other, kind]) => `d${device} ${kind}${other}`));
      const grouped = findGroups(graph).flatMap(({ nodes }) => nodes);
      expect(new Set(grouped).size).toBe(grouped.length);
      const people = graph.nodes.flatMap(({ kind }, index) => (kind === "address" ? [] : [index]));
      expect(people.every((index) => grouped.includes(index))).toBe(true);
    }),
  );
  const small = new GraphBuilder(3);
  for (const value of ["a", "b", "c", "d", "a"]) small.add(node("device", value));
  expect(small.build()).toMatchObject({ nodes: { length: 3 }, isCut: true });
});
