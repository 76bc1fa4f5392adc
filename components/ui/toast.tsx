"use client";

import { X } from "lucide-react";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState, useTransition } from "react";

import type { ActionResult } from "./action-result";
import { Button } from "./button";

/** Display time of a toast, and of one with an action; paused while it has the pointer or the focus. */
const SHOWN_MS = 6_000;
const OFFERED_MS = 15_000;

/** Action of a toast, such as undo. It shows its own success; a refusal is shown instead of the message. */
export type ToastAction = { label: string; run: () => Promise<ActionResult<unknown>> };

type Message = { id: number; title: string; description: string | undefined; action: ToastAction | undefined };
type Show = (title: string, description?: string, action?: ToastAction) => void;

const ToastContext = createContext<{ show: Show }>({ show: () => {} });

/** Shows a toast. */
export const useToast = (): { show: Show } => use(ToastContext);

function Toast({ message, remove, show }: { message: Message; remove: (id: number) => void; show: Show }) {
  const [isHeld, setHeld] = useState(false);
  const [isRunning, startTransition] = useTransition();
  const { id, title, description, action } = message;
  const isOffer = action !== undefined;
  useEffect(() => {
    if (isHeld || isRunning) return;
    const timer = setTimeout(remove, isOffer ? OFFERED_MS : SHOWN_MS, id);
    return () => {
      clearTimeout(timer);
    };
  }, [isHeld, isRunning, isOffer, id, remove]);
  const hold = () => {
    setHeld(true);
  };
  const release = () => {
    setHeld(false);
  };
  return (
    <li
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
      className="flex items-start gap-3 rounded-lg border bg-surface py-2.5 pr-2 pl-4 shadow-lg"
    >
      <div className="min-w-0 flex-1 py-1">
        <p className="font-medium">{title}</p>
        {description ? <p className="text-fg-muted">{description}</p> : null}
      </div>
      {action ? (
        <Button
          size="sm"
          isPending={isRunning}
          onClick={() => {
            startTransition(async () => {
              const answer = await action.run();
              remove(id);
              if (!answer.ok) show(`${action.label} was refused`, answer.message);
            });
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <Button
        variant="ghost"
        size="icon"
        aria-label="Dismiss"
        onClick={() => {
          remove(id);
        }}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

/** Provides toasts to its children, shown in the corner of the window and announced to screen readers. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const remove = useCallback((id: number) => {
    setMessages((before) => before.filter((message) => message.id !== id));
  }, []);
  const value = useMemo(
    () => ({
      show: (title: string, description?: string, action?: ToastAction) => {
        setMessages((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, title, description, action }]);
      },
    }),
    [],
  );
  return (
    <ToastContext value={value}>
      {children}
      <ul
        aria-label="Messages"
        aria-live="polite"
        className="fixed right-4 bottom-4 z-60 flex w-[calc(100vw-32px)] max-w-88 flex-col gap-2"
      >
        {messages.map((message) => (
          <Toast key={message.id} message={message} remove={remove} show={value.show} />
        ))}
      </ul>
    </ToastContext>
  );
}
