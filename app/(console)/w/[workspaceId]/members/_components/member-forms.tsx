"use client";
import { useState } from "react";

import type { ReadConsequences } from "@/components/shell/consequence-asked";
import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { Confirm } from "@/components/ui/confirm";
import { FormDialog } from "@/components/ui/form-dialog";
import { ActionsTh, Table, Td, TextTd } from "@/components/ui/table";
import { type Access, AccessFields, type Role } from "./access-fields";
import { foreign } from "@/components/ui/foreign";

type MemberRow = { userId: string; email: string; role: Role; canSeeAddresses: boolean; createdAt: string };
type OfMember = { workspaceId: string; userId: string };

function ChangeMember({
  member,
  workspaceId,
  set,
}: {
  member: MemberRow;
  workspaceId: string;
  set: Action<OfMember & Access, unknown>;
}) {
  const saved = { role: member.role, canSeeAddresses: member.canSeeAddresses };
  const [access, setAccess] = useState<Access>(saved);
  return (
    <FormDialog
      title={`Access of ${foreign(member.email)}`}
      trigger={
        <Button size="sm" aria-label={`Change the access of ${foreign(member.email)}`}>
          Change
        </Button>
      }
      submit="Save"
      action={set}
      input={{ workspaceId, userId: member.userId, ...access }}
      done="Access changed"
      onClosed={() => {
        setAccess(saved);
      }}
    >
      <AccessFields access={access} onChange={setAccess} />
    </FormDialog>
  );
}

type TableProps = {
  workspaceId: string;
  members: readonly MemberRow[];
  ownUserId: string;
  now: string;
  canManage: boolean;
  set: Action<OfMember & Access, unknown>;
  remove: Action<OfMember, unknown>;
  readConsequences: ReadConsequences;
};

export function MemberTable(props: TableProps) {
  const { workspaceId, members, ownUserId, now, canManage, set, remove, readConsequences } = props;
  return (
    <Table label="Members" columns={["E-mail", "Role", "Addresses and places", "Member since", <ActionsTh />]}>
      {members.map((member) => {
        const isSelf = member.userId === ownUserId;
        return (
          <tr key={member.userId}>
            <TextTd>
              {foreign(member.email)}
              {isSelf ? <span className="text-fg-muted"> (you)</span> : null}
            </TextTd>
            <Td className="capitalize">{member.role}</Td>
            <Td>{member.canSeeAddresses ? "visible" : <span className="text-fg-muted">restricted</span>}</Td>
            <TimeTd at={member.createdAt} now={now} />
            <Td className="text-right">
              <span className="inline-flex flex-wrap gap-1.5">
                {canManage ? (
                  // Starts with the access as it is, not as it was when the page was opened.
                  <ChangeMember key={`${member.role} ${member.canSeeAddresses}`} {...{ member, workspaceId, set }} />
                ) : null}
                {canManage || isSelf ? (
                  <Confirm
                    trigger={
                      <Button size="sm" variant="danger" aria-label={isSelf ? "Leave" : `Remove ${member.email}`}>
                        {isSelf ? "Leave" : "Remove"}
                      </Button>
                    }
                    title={isSelf ? "Leave this workspace?" : `Remove ${foreign(member.email)}?`}
                    confirmLabel={isSelf ? "Leave" : "Remove"}
                    action={remove}
                    input={{ workspaceId, userId: member.userId }}
                    done={isSelf ? "You left the workspace" : "Member removed"}
                    {...(isSelf ? { next: "/" } : {})}
                    consequences={{
                      asked: { what: "member", workspaceId, userId: member.userId },
                      read: readConsequences,
                    }}
                  >
                    Access to this workspace ends at once. Keys that were created stay valid.
                  </Confirm>
                ) : null}
              </span>
            </Td>
          </tr>
        );
      })}
    </Table>
  );
}
