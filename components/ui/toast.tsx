"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";

import type { Action } from "./action-result";
import { Button } from "./button";
import { Refusal } from "./refusal";
import { useAction } from "./use-action";

/** Display time of a toast, and of one that offers Undo; paused while it has the pointer or the focus. */
const SHOWN_MS = 6_000;
const OFFERED_MS = 15_000;

/** Takes back what a toast reports, which `done` reports in turn. */
export type Undo = { action: Action<undefined, unknown>; done: string };
const NOTHING: Undo["action"] = () => Promise.resolve({ ok: true, value: undefined });

type Message = { id: number; title: string; description: string | undefined; undo: Undo | undefined };
type Show = (title: string, description?: string, undo?: Undo) => void;

const ToastContext = createContext<{ show: Show }>({ show: () => {} });

/** Shows a toast. */
export const useToast = (): { show: Show } => use(ToastContext);

/** Removes a toast after a while, unless it is held by the pointer or the focus, or is busy. */
function useExpiry(remove: () => void, shownMs: number, isBusy: boolean) {
  const [isHeld, setHeld] = useState(false);
  const latest = useEffectEvent(remove);
  useEffect(() => {
    if (isHeld || isBusy) return;
    const timer = setTimeout(() => {
      latest();
    }, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isHeld, isBusy, shownMs]);
  const hold = () => {
    setHeld(true);
  };
  const release = () => {
    setHeld(false);
  };
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}

/** Returns the focus to where it was before it came into an element that is about to be removed. */
function useFocusReturn() {
  const from = useRef<Element>(null);
  const within = useRef<HTMLLIElement>(null);
  const onFocusCapture = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) from.current = relatedTarget;
  };
  const giveBack = () => {
    if (within.current?.contains(document.activeElement) && from.current instanceof HTMLElement) from.current.focus();
  };
  return { ref: within, onFocusCapture, giveBack };
}

function Toast({ message, remove, show }: { message: Message; remove: (id: number) => void; show: Show }) {
  const { id, title, description, undo } = message;
  const { run, result, isPending } = useAction(undo?.action ?? NOTHING);
  const router = useRouter();
  const { giveBack, ...focus } = useFocusReturn();
  const leave = () => {
    giveBack();
    remove(id);
  };
  const handlers = useExpiry(leave, undo ? OFFERED_MS : SHOWN_MS, isPending);
  return (
    <li
      {...focus}
      {...handlers}
      className="flex items-start gap-3 rounded-lg border bg-surface py-2.5 pr-2 pl-4 shadow-lg"
    >
      <div className="min-w-0 flex-1 py-1">
        <p className="font-medium">{title}</p>
        {description ? <p className="text-fg-muted">{description}</p> : null}
        <Refusal result={result} />
      </div>
      {undo ? (
        <Button
          size="sm"
          isPending={isPending}
          onClick={() => {
            run(undefined, () => {
              leave();
              show(undo.done);
              router.refresh();
            });
          }}
        >
          Undo
        </Button>
      ) : null}
      <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={leave}>
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
      show: (title: string, description?: string, undo?: Undo) => {
        setMessages((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, title, description, undo }]);
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
