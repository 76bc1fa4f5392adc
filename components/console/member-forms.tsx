"use client";

import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Checkbox, Input, NativeSelect } from "@/components/ui/input";
import { Table, Td, Th } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { Action } from "./action-result";
import { Confirm } from "./confirm";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

const ROLES = [
  { value: "owner", text: "Owner: everything, owners included" },
  { value: "admin", text: "Admin: everything but owners" },
  { value: "developer", text: "Developer: Web Apps, keys, Reports" },
  { value: "analyst", text: "Analyst: reads Reports" },
] as const;
type Role = (typeof ROLES)[number]["value"];

export type MemberRow = { userId: string; email: string; role: Role; canSeeAddresses: boolean; createdAt: string };
type Access = { role: Role; canSeeAddresses: boolean };
type OfMember = { workspaceId: string; userId: string };

const isRole = (text: string): text is Role => ROLES.some(({ value }) => value === text);
const seesByDefault = (role: Role) => role === "owner" || role === "admin";

function AccessFields({ access, onChange }: { access: Access; onChange: (access: Access) => void }) {
  return (
    <>
      <Field label="Role">
        <NativeSelect
          value={access.role}
          onChange={(event) => {
            const role = event.currentTarget.value;
            if (isRole(role)) onChange({ role, canSeeAddresses: seesByDefault(role) });
          }}
        >
          {ROLES.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <label className="flex gap-2">
        <Checkbox
          checked={access.canSeeAddresses}
          onChange={(event) => {
            onChange({ ...access, canSeeAddresses: event.currentTarget.checked });
          }}
        />
        <span>
          May see addresses and places
          <span className="block text-fg-muted">
            Without it, IP addresses, places and providers are shown as restricted.
          </span>
        </span>
      </label>
    </>
  );
}

type AddProps = { workspaceId: string; add: Action<{ workspaceId: string; email: string } & Access, unknown> };

export function AddMember({ workspaceId, add }: AddProps) {
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState("");
  const [access, setAccess] = useState<Access>({ role: "analyst", canSeeAddresses: false });
  const { run, result, isPending, reset } = useAction(add);
  const router = useRouter();
  const toast = useToast();
  return (
    <Dialog
      title="Add a member"
      description="The person signs in with a link to this address; no mail is sent now."
      trigger={
        <Button variant="primary">
          <UserPlus aria-hidden />
          Add member
        </Button>
      }
      open={isOpen}
      onOpenChange={setOpen}
      onClosed={() => {
        reset();
        setEmail("");
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run({ workspaceId, email, ...access }, () => {
            setOpen(false);
            toast.show("Member added", `${email} can ask for a sign-in link.`);
            router.refresh();
          });
        }}
      >
        <Field label="E-mail address">
          <Input
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
            }}
          />
        </Field>
        <AccessFields access={access} onChange={setAccess} />
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" disabled={isPending}>
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function ChangeMember({
  member,
  workspaceId,
  set,
}: {
  member: MemberRow;
  workspaceId: string;
  set: Action<OfMember & Access, unknown>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [access, setAccess] = useState<Access>({ role: member.role, canSeeAddresses: member.canSeeAddresses });
  const { run, result, isPending, reset } = useAction(set);
  const router = useRouter();
  return (
    <Dialog
      title={`Access of ${member.email}`}
      trigger={
        <Button size="sm" aria-label={`Change the access of ${member.email}`}>
          Change
        </Button>
      }
      open={isOpen}
      onOpenChange={setOpen}
      onClosed={reset}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run({ workspaceId, userId: member.userId, ...access }, () => {
            setOpen(false);
            router.refresh();
          });
        }}
      >
        <AccessFields access={access} onChange={setAccess} />
        <Refusal result={result} />
        <DialogActions>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" disabled={isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
};

export function MemberTable({ workspaceId, members, ownUserId, now, canManage, set, remove }: TableProps) {
  return (
    <Table label="Members">
      <thead>
        <tr>
          <Th>E-mail</Th>
          <Th>Role</Th>
          <Th>Addresses and places</Th>
          <Th>Member since</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => {
          const isSelf = member.userId === ownUserId;
          return (
            <tr key={member.userId}>
              <Td>
                {member.email}
                {isSelf ? <span className="text-fg-muted"> (you)</span> : null}
              </Td>
              <Td className="capitalize">{member.role}</Td>
              <Td>{member.canSeeAddresses ? "visible" : <span className="text-fg-muted">restricted</span>}</Td>
              <Td>
                <RelativeTime at={member.createdAt} now={now} />
              </Td>
              <Td className="text-right">
                <span className="inline-flex gap-1.5">
                  {canManage ? <ChangeMember member={member} workspaceId={workspaceId} set={set} /> : null}
                  {canManage || isSelf ? (
                    <Confirm
                      trigger={
                        <Button size="sm" variant="danger" aria-label={isSelf ? "Leave" : `Remove ${member.email}`}>
                          {isSelf ? "Leave" : "Remove"}
                        </Button>
                      }
                      title={isSelf ? "Leave this workspace?" : `Remove ${member.email}?`}
                      confirmLabel={isSelf ? "Leave" : "Remove"}
                      action={remove}
                      input={{ workspaceId, userId: member.userId }}
                      done={isSelf ? "You left the workspace" : "Member removed"}
                    >
                      Access to this workspace ends at once. Keys that were created stay valid.
                    </Confirm>
                  ) : null}
                </span>
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
