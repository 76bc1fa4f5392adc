"use client";
import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { Chip } from "@/components/ui/chip";
import { Confirm } from "@/components/ui/confirm";
import { ActionsTh, Table, Td } from "@/components/ui/table";
import { browserName } from "./browser-name";

type SessionRow = { sessionId: string; createdAt: string; expiresAt: string; userAgent: string };

type Props = {
  userId: string;
  sessions: readonly SessionRow[];
  ownSessionId: string | undefined;
  now: string;
  end: Action<{ userId: string; sessionId: string }, unknown>;
};

export function EndOtherSessions({ userId, end }: { userId: string; end: Action<{ userId: string }, unknown> }) {
  return (
    <Confirm
      trigger={
        <Button size="sm" variant="danger">
          Sign out everywhere else
        </Button>
      }
      title="Sign out everywhere else?"
      confirmLabel="Sign out there"
      action={end}
      input={{ userId }}
      done="You are signed in here only"
    >
      All other browsers are signed out at once.
    </Confirm>
  );
}

export function SessionTable({ userId, sessions, ownSessionId, now, end }: Props) {
  return (
    <Table label="Sessions" columns={["Browser", "Signed in", "Ends", <ActionsTh />]}>
      {sessions.map(({ sessionId, createdAt, expiresAt, userAgent }) => (
        <tr key={sessionId}>
          <Td title={userAgent}>{browserName(userAgent)}</Td>
          <TimeTd at={createdAt} now={now} />
          <TimeTd at={expiresAt} now={now} />
          <Td className="text-right">
            {sessionId === ownSessionId ? (
              <Chip isActive>this browser</Chip>
            ) : (
              <Confirm
                trigger={
                  <Button size="sm" variant="danger" aria-label={`Sign out ${browserName(userAgent)}`}>
                    Sign out
                  </Button>
                }
                title={`Sign out ${browserName(userAgent)}?`}
                confirmLabel="Sign out"
                action={end}
                input={{ userId, sessionId }}
                done="Signed out there"
              >
                That browser is signed out at once.
              </Confirm>
            )}
          </Td>
        </tr>
      ))}
    </Table>
  );
}

type MethodProps = {
  userId: string;
  methods: readonly { id: string; name: string; isLinked: boolean }[];
  unlink: Action<{ userId: string; provider: string }, unknown>;
};

/** Sign-in methods other than the link, and whether they are linked. */
export function MethodList({ userId, methods, unlink }: MethodProps) {
  return methods.map(({ id, name, isLinked }) => (
    <li key={id} className="flex min-h-9 flex-wrap items-center justify-between gap-2 border-t px-4 py-1.5">
      <span>
        <span className="font-medium first-letter:uppercase inline-block">{name}</span>
        <span className="block text-fg-muted">
          {isLinked
            ? "You have signed in with it; it identifies you by its own id."
            : "Choose it on the sign-in page: it has to confirm your address."}
        </span>
      </span>
      {isLinked ? (
        <Confirm
          trigger={
            <Button size="sm" variant="danger" aria-label={`Unlink ${name}`}>
              Unlink
            </Button>
          }
          title={`Unlink ${name}?`}
          confirmLabel="Unlink"
          action={unlink}
          input={{ userId, provider: id }}
          done="Unlinked"
        >
          Signing in with it again needs your verified address there. The link by e-mail keeps working.
        </Confirm>
      ) : null}
    </li>
  ));
}
