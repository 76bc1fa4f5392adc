import { KIND_TEXTS, subjectHref } from "@/components/report/subject-href";
import { counted } from "@/components/ui/counted";
import { shortId } from "@/components/ui/id";
import { riskWord } from "@/components/report/risk-badge";
import type { LinkedNode, LinkedView } from "@/lib/visits/investigation";
import { layOut, NODE_HEIGHT, NODE_WIDTH, type Placed } from "./layout-graph";
import { ADDRESS_TEXTS } from "./node-text";

const STATUS_FILL = { PASS: "var(--pass-mark)", SUSPICIOUS: "var(--susp-mark)", DECEPTIVE: "var(--dec-mark)" } as const;

/** Each kind has its own shape: colour is never the only cue. */
function Mark({ node, x, y }: { node: LinkedNode; x: number; y: number }) {
  const { kind } = node;
  const fill = node.lastStatus === undefined ? "var(--fg-muted)" : STATUS_FILL[node.lastStatus];
  if (kind === "device") return <rect x={x - 5} y={y - 5} width="10" height="10" rx="2" fill={fill} className="mark" />;
  if (kind === "account") return <circle cx={x} cy={y} r="5.5" fill={fill} className="mark" />;
  if (kind === "network") return <path d={`M${x} ${y - 7}l7 7l-7 7l-7-7z`} fill={fill} className="mark" />;
  return <path d={`M${x} ${y - 6}l6 11h-12z`} fill={fill} className="mark" />;
}

/** Visible text of a node. */
const labelOf = ({ kind, value }: LinkedNode): string =>
  kind === "address" || kind === "network" ? value : shortId(value);

/** Accessible name of a node, beginning with its visible text. */
function nameOf(node: LinkedNode): string {
  const { kind, step, addressKind, lastStatus } = node;
  const about = addressKind === undefined ? "" : `, ${ADDRESS_TEXTS[addressKind]}`;
  const verdict = lastStatus === undefined ? "" : `, last verdict ${riskWord(lastStatus)}`;
  return `${labelOf(node)}, ${KIND_TEXTS[kind].toLowerCase()}${about}${verdict}, ${counted(step, "step")} away`;
}

type NodeProps = { node: LinkedNode; at: Placed; href: string };

function Node({ node, at: { x, y }, href }: NodeProps) {
  const isStart = node.step === 0;
  return (
    <a href={href} aria-label={nameOf(node)}>
      <rect
        x={x}
        y={y}
        width={NODE_WIDTH}
        height={NODE_HEIGHT}
        rx="6"
        fill={isStart ? "var(--surface-2)" : "var(--surface)"}
        stroke={isStart ? "var(--fg-muted)" : "var(--border-strong)"}
        strokeWidth={isStart ? 1.5 : 1}
        strokeDasharray={node.addressKind !== undefined && node.addressKind !== "home" ? "4 3" : undefined}
      />
      <Mark node={node} x={x + 16} y={y + NODE_HEIGHT / 2} />
      <text x={x + 30} y={y + NODE_HEIGHT / 2 + 4} fontSize="12" fill="var(--fg)" className="font-mono">
        {labelOf(node)}
      </text>
    </a>
  );
}

/** The graph as a drawing whose nodes are links; phones show only the table. */
export function LinkDrawing({ workspaceId, view }: { workspaceId: string; view: LinkedView }) {
  const drawing = layOut(view.nodes, view.links);
  return (
    <figure className="max-sm:hidden">
      <svg
        role="group"
        aria-label="Drawing of what is linked; the table below lists the same"
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        className="mx-auto block w-full max-w-280 px-4 py-3"
      >
        {drawing.lines.map(({ from, to }) => (
          <path
            key={`${from.index} ${to.index}`}
            d={`M${from.x + NODE_WIDTH} ${from.y + NODE_HEIGHT / 2}C${from.x + NODE_WIDTH + 70} ${from.y + NODE_HEIGHT / 2} ${to.x - 70} ${to.y + NODE_HEIGHT / 2} ${to.x} ${to.y + NODE_HEIGHT / 2}`}
            fill="none"
            stroke="var(--border-strong)"
          />
        ))}
        {drawing.nodes.map((at) => {
          const node = view.nodes[at.index];
          return node ? (
            <Node key={at.index} node={node} at={at} href={subjectHref(workspaceId, node.kind, node.value)} />
          ) : null;
        })}
      </svg>
      <figcaption className="px-4 pb-3 text-xs text-fg-muted">
        ■ device ● account ▲ address ◆ network, in the colour of the newest verdict; a dashed frame is an address that
        others may share.{drawing.left > 0 ? ` ${drawing.left} more are in the table.` : ""}
      </figcaption>
    </figure>
  );
}
