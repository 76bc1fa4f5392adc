"use client";

import { UserPlus } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactElement, type ReactNode, useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions, DialogClose } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Refusal } from "@/components/ui/refusal";
import { ActionsTh, Table, Td, TextTd } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { useAction } from "@/components/ui/use-action";
import { useLeaveGuard } from "@/components/ui/use-leave-guard";
import { useOpenByAddress } from "@/components/ui/use-open-by-address";
import { type Access, AccessFields, type Role } from "./access-fields";
import { foreign } from "@/components/ui/foreign";

type Invited = { email: string; url: string; isMailed: boolean };
type OfInvitation = { workspaceId: string; invitationId: string };
export type InviteAction = Action<{ workspaceId: string; email: string } & Access, Invited>;

/** The invitation link, which only this response contains. */
function InvitationLink({ invited, onDone }: { invited: Invited; onDone: () => void }) {
  useLeaveGuard(true);
  return (
    <div className="flex flex-col gap-3">
      <code
        aria-label="Invitation link"
        className="rounded-md border border-border-strong bg-surface-2 px-3 py-2 font-mono text-xs break-all"
      >
        {invited.url}
      </code>
      <p className="text-fg-muted">
        {invited.isMailed ? "It was also sent by e-mail. " : "Send it yourself: no e-mail was sent. "}
        It works once, within 7 days, for the first person who uses it.
      </p>
      <DialogActions>
        <CopyButton value={invited.url} label="Copy the link">
          Copy link
        </CopyButton>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}

type LinkDialogProps<Input> = {
  title: string;
  description?: string;
  trigger: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  action: Action<Input, Invited>;
  input: Input;
  onClosed?: () => void;
  children: ReactNode;
};

/** A form that makes an invitation link, and then shows it. */
function LinkDialog<Input>({ title, description, trigger, action, input, children, ...props }: LinkDialogProps<Input>) {
  const [isOpenByTrigger, setOpenByTrigger] = useState(false);
  const { open = isOpenByTrigger, onOpenChange = setOpenByTrigger } = props;
  const { run, result, isPending, reset } = useAction(action);
  const router = useRouter();
  const invited = result?.ok ? result.value : undefined;
  return (
    <Dialog
      title={invited ? `Link for ${foreign(invited.email)}` : title}
      description={invited ? undefined : description}
      trigger={trigger}
      open={open}
      onOpenChange={onOpenChange}
      mustBeAnswered={invited !== undefined || isPending}
      onClosed={() => {
        reset();
        props.onClosed?.();
        if (invited) router.refresh();
      }}
    >
      {invited ? (
        <InvitationLink
          invited={invited}
          onDone={() => {
            onOpenChange(false);
          }}
        />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            run(input);
          }}
        >
          {children}
          <Refusal result={result} />
          <DialogActions>
            <DialogClose>Cancel</DialogClose>
            <Button type="submit" variant="primary" isPending={isPending}>
              Make the link
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

export function InviteMember({ workspaceId, invite }: { workspaceId: string; invite: InviteAction }) {
  const [isOpen, setOpen] = useOpenByAddress("invite");
  const [email, setEmail] = useState("");
  const [access, setAccess] = useState<Access>({ role: "analyst", canSeeAddresses: false });
  return (
    <LinkDialog
      title="Invite a person"
      description="You get a link to pass on; if this instance sends mail, the person also gets it by e-mail."
      trigger={
        <Button variant="primary">
          <UserPlus aria-hidden />
          Invite
        </Button>
      }
      open={isOpen}
      onOpenChange={setOpen}
      action={invite}
      input={{ workspaceId, email, ...access }}
      onClosed={() => {
        setEmail("");
      }}
    >
      <Field label="E-mail address">
        <Input type="email" required autoComplete="off" value={email} onText={setEmail} />
      </Field>
      <AccessFields access={access} onChange={setAccess} />
    </LinkDialog>
  );
}

type RenewProps = { ofInvitation: OfInvitation; email: string; renew: Action<OfInvitation, Invited> };

const RenewInvitation = ({ ofInvitation, email, renew }: RenewProps) => (
  <LinkDialog
    title={`A new link for ${foreign(email)}?`}
    trigger={
      <Button size="sm" aria-label={`New link for ${foreign(email)}`}>
        New link
      </Button>
    }
    action={renew}
    input={ofInvitation}
  >
    <p className="text-fg-muted">The earlier link stops working at once. The new one works for seven days.</p>
  </LinkDialog>
);

type InvitationRow = {
  invitationId: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
  isExpired: boolean;
};

type TableProps = {
  workspaceId: string;
  invitations: readonly InvitationRow[];
  now: string;
  renew: Action<OfInvitation, Invited>;
  revoke: Action<OfInvitation, unknown>;
};

export function InvitationTable({ workspaceId, invitations, now, renew, revoke }: TableProps) {
  return (
    <Table label="Invitations" room="many-columns" columns={["Invited", "Role", "By", "Since", "Link", <ActionsTh />]}>
      {invitations.map(({ invitationId, email, role, ...invitation }) => (
        <tr key={invitationId}>
          <TextTd>{email}</TextTd>
          <Td className="capitalize">{role}</Td>
          <TextTd>{invitation.invitedBy}</TextTd>
          <TimeTd at={invitation.createdAt} now={now} />
          <Td>
            {invitation.isExpired ? "expired " : "ends "}
            <RelativeTime at={invitation.expiresAt} now={now} />
          </Td>
          <Td className="col-span-full text-right">
            <span className="inline-flex flex-wrap gap-1.5">
              <RenewInvitation ofInvitation={{ workspaceId, invitationId }} email={email} renew={renew} />
              <Confirm
                trigger={
                  <Button size="sm" variant="danger" aria-label={`Take back the invitation of ${foreign(email)}`}>
                    Take back
                  </Button>
                }
                title={`Take back the invitation of ${foreign(email)}?`}
                confirmLabel="Take back"
                action={revoke}
                input={{ workspaceId, invitationId }}
                done="The link has ended"
              >
                The link stops working at once.
              </Confirm>
            </span>
          </Td>
        </tr>
      ))}
    </Table>
  );
}
