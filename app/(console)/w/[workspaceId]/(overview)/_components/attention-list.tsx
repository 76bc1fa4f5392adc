import { AllowOrigin } from "@/components/shell/allow-origin";
import type { Action } from "@/components/ui/action-result";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import type { AttentionItem } from "../attention";

type Props = {
  workspaceId: string;
  items: readonly AttentionItem[];
  /** Undefined for members who may not change Web Apps. */
  allow: Action<{ workspaceId: string; webAppId: string; origins: string[] }, unknown> | undefined;
};

/** Further items are behind a disclosure. */
const SHOWN = 6;

function Item({ workspaceId, item, allow }: Omit<Props, "items"> & { item: AttentionItem }) {
  const { isUrgent, figure, title, detail, href } = item;
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 last:border-b-0 hover:bg-surface-2">
      <span
        className={cn(
          "min-w-14 rounded-md px-2 py-0.5 text-center font-semibold",
          isUrgent ? "bg-dec-bg text-dec" : "bg-susp-bg text-susp",
        )}
      >
        {figure}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <Link href={href} className="font-medium wrap-anywhere after:absolute after:inset-0 hover:underline">
          {title}
        </Link>
        <p className="text-fg-muted">{detail}</p>
      </div>
      {item.allow && allow ? (
        <span className="relative">
          <AllowOrigin workspaceId={workspaceId} {...item.allow} allow={allow} />
        </span>
      ) : null}
    </li>
  );
}

/** Items that need attention, each with its number and a link to the details. */
export function AttentionList({ workspaceId, items, allow }: Props) {
  const list = (some: readonly AttentionItem[]) => (
    <ul>
      {some.map((item) => (
        <Item key={item.key} workspaceId={workspaceId} item={item} allow={allow} />
      ))}
    </ul>
  );
  return (
    <Panel id="attention" title="Needs attention" className="mb-4">
      {items.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">Nothing is unusual, nothing was refused, nothing runs out.</p>
      ) : (
        list(items.slice(0, SHOWN))
      )}
      {items.length > SHOWN ? (
        <details className="border-t">
          <summary className="px-4 py-2 text-fg-muted">{items.length - SHOWN} more</summary>
          {list(items.slice(SHOWN))}
        </details>
      ) : null}
    </Panel>
  );
}
