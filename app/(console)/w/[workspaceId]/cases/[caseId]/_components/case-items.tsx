import { KIND_TEXTS } from "@/components/report/subject-href";
import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { Confirm } from "@/components/ui/confirm";
import { counted } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { EmptyState } from "@/components/ui/states";
import { ActionsTh, ElasticTd, Table, Td, TextTd } from "@/components/ui/table";
import type { readCase } from "@/lib/tenancy/cases";
import type { OfCase } from "./case-state";
import { ItemLink } from "./item-link";

type Item = Awaited<ReturnType<typeof readCase>>["items"][number];

type Props = {
  of: OfCase;
  items: readonly Item[];
  nameOf: (userId: string) => string;
  now: Date;
  zone: string;
  take: Action<OfCase & { item: string }, unknown>;
};

/** The items of a case. */
export function CaseItems({ of, items, nameOf, now, zone, take }: Props) {
  const hasNotes = items.some(({ note }) => note !== "");
  const count = counted(items.length, "item");
  return (
    <Panel id="items" title="What belongs to it" aside={items.length === 0 ? undefined : count}>
      {items.length === 0 ? (
        <EmptyState title="Nothing belongs to this case yet">
          Add visits, devices, addresses and accounts here, or from their own pages by “Add to case…”.
        </EmptyState>
      ) : (
        <Table label="Items of this case" columns={["Kind", "What", hasNotes && "Why", "Added", "By", <ActionsTh />]}>
          {items.map((item, index) => (
            <tr key={item.value ?? index}>
              <Td>{KIND_TEXTS[item.kind]}</Td>
              <Td>
                <ItemLink workspaceId={of.workspaceId} kind={item.kind} value={item.value} />
              </Td>
              {hasNotes ? (
                <ElasticTd title={item.note}>{item.note || <span className="text-fg-muted">–</span>}</ElasticTd>
              ) : null}
              <TimeTd at={item.addedAt} now={now} zone={zone} />
              <TextTd>{nameOf(item.addedBy)}</TextTd>
              <Td className="text-right">
                {item.value === undefined ? null : (
                  <Confirm
                    trigger={
                      <Button size="sm" variant="ghost" aria-label={`Remove ${item.value}`}>
                        Remove…
                      </Button>
                    }
                    title="Remove this from the case?"
                    confirmLabel="Remove"
                    isSafe
                    action={take}
                    input={{ ...of, item: item.value }}
                    done="Removed from the case"
                  >
                    It stays as it is and can be added again. The history says that it was here.
                  </Confirm>
                )}
              </Td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
