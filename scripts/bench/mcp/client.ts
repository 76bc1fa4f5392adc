import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";

const Text = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })).min(1) });
const Contents = z.object({ contents: z.array(z.object({ text: z.string() })).min(1) });

/** Token count in the vocabulary of a widely used model. */
const tokensOf = (value: unknown): number => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

/** Client for scripted questions, with its usage. */
export type McpClient = {
  /** Calls a tool and returns its answer. */
  tool: (name: string, given: object) => Promise<Json>;
  /** Reads the text of a resource. */
  resource: (path: string) => Promise<string>;
  spent: { calls: number; tokens: number };
};

/** A part of an answer; reading a missing field returns nothing, as a reader would see nothing. */
class Json {
  constructor(readonly value: unknown) {}

  at(...path: (string | number)[]): unknown {
    return path.reduce<unknown>(
      (part, key) => (typeof part === "object" && part !== null ? Reflect.get(part, key) : undefined),
      this.value,
    );
  }

  text(...path: (string | number)[]): string {
    const part = this.at(...path);
    return typeof part === "string" ? part : "";
  }

  number(...path: (string | number)[]): number {
    const part = this.at(...path);
    return typeof part === "number" ? part : 0;
  }

  keys(...path: (string | number)[]): string[] {
    return Object.keys(this.at(...path) ?? {});
  }

  list(...path: (string | number)[]): Json[] {
    const part = this.at(...path);
    return Array.isArray(part) ? part.map((each: unknown) => new Json(each)) : [];
  }
}

/** Connects the official client, as a person's assistant would be. */
export async function connectClient(url: string, token: string) {
  const client = new Client({ name: "Evaluation", version: "1" });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const open = (): McpClient => {
    const spent = { calls: 0, tokens: 0 };
    const count = (...texts: string[]) => {
      spent.calls += 1;
      spent.tokens += texts.reduce((sum, text) => sum + tokensOf(text), 0);
    };
    return {
      spent,
      async tool(name, given) {
        const { isError, content } = Text.parse(await client.callTool({ name, arguments: { ...given } }));
        const text = content[0]?.text ?? "";
        count(JSON.stringify({ name, arguments: given }), text);
        if (isError) throw new Error(`${name} ${JSON.stringify(given)}: ${text}`);
        return new Json(JSON.parse(text));
      },
      async resource(path) {
        const uri = `${url}${path}`;
        const text = Contents.parse(await client.readResource({ uri })).contents[0]?.text ?? "";
        count(uri, text);
        return text;
      },
    };
  };
  return { open, listed: { tools: tokensOf(tools), prompts: tokensOf(prompts) }, close: () => client.close() };
}
