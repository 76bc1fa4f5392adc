import { redirect } from "next/navigation";
import { expect, test } from "vitest";
import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";

import { noAnswer } from "./no-answer";

const messageOf = (error: unknown) => noAnswer(error).message;

test("a page that is older than the service is told to be reloaded, not that the connection failed", () => {
  expect(messageOf(new UnrecognizedActionError("not found"))).toMatch(/upgraded .* Reload it/);
});

test("only a request that got no response is put down to the connection", () => {
  expect(messageOf(new TypeError("Failed to fetch"))).toMatch(/Check the connection/);
  expect(messageOf(new Error("An unexpected response was received from the server."))).toMatch(
    /see whether this was done/,
  );
});

test("a redirect by an action is passed on to the router", () => {
  const redirected = () => {
    try {
      redirect("/sign-in");
    } catch (error) {
      return noAnswer(error);
    }
  };
  expect(redirected).toThrow("NEXT_REDIRECT");
});
