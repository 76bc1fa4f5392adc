"use client";

import { type ComponentProps, useRef } from "react";

/** A submission this soon after another is a double click; later, the first one may have been lost on the way. */
const DOUBLE_CLICK_MS = 2_000;

/** A form that works once: a double click would send it twice, and the browser shows the answer to the second. */
export function OneTimeForm(props: ComponentProps<"form">) {
  const sentAt = useRef(-Infinity);
  return (
    <form
      {...props}
      onSubmit={(event) => {
        if (event.timeStamp - sentAt.current < DOUBLE_CLICK_MS) event.preventDefault();
        else sentAt.current = event.timeStamp;
      }}
    />
  );
}
