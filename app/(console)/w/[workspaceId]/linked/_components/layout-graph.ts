import type { LinkedNode } from "@/lib/visits/investigation";

type Node = Pick<LinkedNode, "kind" | "value" | "step">;
type Link = { device: number; other: number };

/** Maximum drawn nodes per step; the table has all. */
const MAX_IN_COLUMN = 14;

export const NODE_WIDTH = 236;
export const NODE_HEIGHT = 30;
const ROW = 42;
const COLUMN = 372;
/** Margin around the drawing for focus rings. */
const MARGIN = 6;

export type Placed = { index: number; x: number; y: number };
type Line = { from: Placed; to: Placed };

export type Drawing = {
  nodes: Placed[];
  lines: Line[];
  width: number;
  height: number;
  /** Nodes that are not drawn. */
  left: number;
};

/** Number of links between each node and the drawn part, so that the most connected nodes come first. */
const degree = (links: readonly Link[], index: number): number =>
  links.filter(({ device, other }) => device === index || other === index).length;

/**
 * Places the graph in columns: the starting object on the left, then each step. If a column is full, the nodes with the
 * most links are drawn.
 */
export function layOut(nodes: readonly Node[], links: readonly Link[]): Drawing {
  const columns = [0, 1, 2].map((step) =>
    nodes
      .flatMap((node, index) => (node.step === step ? [{ index, kind: node.kind, degree: degree(links, index) }] : []))
      .sort((one, other) => other.degree - one.degree)
      .slice(0, MAX_IN_COLUMN)
      .sort((one, other) => one.kind.localeCompare(other.kind)),
  );
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const placed = columns.flatMap((column, step) =>
    column.map(({ index }, row): Placed => ({
      index,
      x: MARGIN + step * COLUMN,
      y: MARGIN + (row + (rows - column.length) / 2) * ROW,
    })),
  );
  const at = new Map(placed.map((node) => [node.index, node]));
  const lines = links.flatMap(({ device, other }) => {
    const [from, to] = [at.get(device), at.get(other)];
    if (!from || !to) return [];
    return [from.x <= to.x ? { from, to } : { from: to, to: from }];
  });
  return {
    nodes: placed,
    lines,
    width: 2 * COLUMN + NODE_WIDTH + 2 * MARGIN,
    height: rows * ROW - (ROW - NODE_HEIGHT) + 2 * MARGIN,
    left: nodes.length - placed.length,
  };
}
