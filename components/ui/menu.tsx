"use client";

import { Link } from "@/components/ui/link";
import { type ReactElement, type ReactNode, useId, useState } from "react";

import { cn } from "./class-names";
import { MenuPopup } from "./menu-popup";
import { withProps } from "./with-props";

const itemStyle =
  "flex w-full cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm -outline-offset-2 select-none focus:bg-surface-2 [&_svg]:size-3.5 base:[&_svg]:text-fg-muted";

/** Whether the keyboard caused a click: such a click has no coordinates. */
const isByKeyboard = ({ detail }: { detail: number }) => detail === 0;

type Opened = { anchor: HTMLElement; isByKeyboard: boolean };

export function Menu(props: {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  className?: string;
}) {
  const [opened, setOpened] = useState<Opened>();
  const id = useId();
  return (
    <>
      {withProps(props.trigger, {
        "aria-haspopup": "menu",
        "aria-expanded": opened !== undefined,
        "aria-controls": opened && id,
        onClick: (event) => {
          const anchor = event.currentTarget;
          setOpened(opened ? undefined : { anchor, isByKeyboard: isByKeyboard(event) });
        },
        onKeyDown: (event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpened({ anchor: event.currentTarget, isByKeyboard: true });
        },
      })}
      {opened ? (
        <MenuPopup
          {...opened}
          id={id}
          align={props.align ?? "end"}
          className={props.className}
          onClose={() => {
            setOpened(undefined);
          }}
        >
          {props.children}
        </MenuPopup>
      ) : null}
    </>
  );
}

export function MenuItem(props: {
  children: ReactNode;
  onClick?: () => void;
  isDangerous?: boolean;
  disabled?: boolean;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={props.disabled}
      onClick={props.disabled ? undefined : props.onClick}
      className={cn(itemStyle, props.isDangerous && "text-dec [&_svg]:text-dec", props.disabled && "opacity-55")}
    >
      {props.children}
    </button>
  );
}

export function MenuLink(props: { href: string; children: ReactNode; isCurrent?: boolean }) {
  return (
    <Link
      href={props.href}
      role="menuitem"
      tabIndex={-1}
      aria-current={props.isCurrent ? "true" : undefined}
      className={itemStyle}
    >
      {props.children}
    </Link>
  );
}

export function MenuSeparator() {
  return <div role="separator" className="my-1 h-px bg-border" />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="px-2 py-1 text-xs text-fg-muted">{children}</div>;
}
