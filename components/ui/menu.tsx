"use client";

import { Menu as Base } from "@base-ui/react/menu";
import Link from "next/link";
import type { ReactElement, ReactNode } from "react";

import { cn } from "./class-names";

const itemStyle =
  "flex w-full cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-left text-sm outline-none select-none data-highlighted:bg-surface-2 [&_svg]:size-3.5 [&_svg]:text-fg-muted";

export function Menu(props: {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  className?: string;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={props.align ?? "end"} className="z-50 outline-none">
          <Base.Popup
            className={cn(
              "max-w-[calc(100vw-16px)] min-w-44 rounded-md border bg-surface p-1 shadow-lg outline-none",
              props.className,
            )}
          >
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem(props: {
  children: ReactNode;
  onClick?: () => void;
  isDangerous?: boolean;
  disabled?: boolean;
}) {
  return (
    <Base.Item
      className={cn(itemStyle, props.isDangerous && "text-dec [&_svg]:text-dec", props.disabled && "opacity-55")}
      {...(props.disabled ? { disabled: true } : {})}
      {...(props.onClick ? { onClick: props.onClick } : {})}
    >
      {props.children}
    </Base.Item>
  );
}

export function MenuLink(props: { href: string; children: ReactNode; isCurrent?: boolean }) {
  return (
    <Base.LinkItem
      closeOnClick
      className={itemStyle}
      render={<Link href={props.href} aria-current={props.isCurrent ? "true" : undefined} />}
    >
      {props.children}
    </Base.LinkItem>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-border" />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="px-2 py-1 text-xs text-fg-muted">{children}</div>;
}
