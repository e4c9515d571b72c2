/** The command line (--nodes) and the page read the same tables of nodes as the same attributes. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readNodeTable } from "../src/cli/explore/node-table.js";
import { readNodeTable as readInPage } from "../src/explore/questions/tables/node-table.js";
import { temporaryFolder } from "./cli/program.js";

const folder = temporaryFolder();
const ids = ["a", "b", "c", "7", "two\nlines"];
const bytes = (text: string) => new TextEncoder().encode(text);

const READABLE: Readonly<Record<string, Uint8Array>> = {
  "unnamed.csv": bytes("age,person,team\n30,a,red\n31.5,b,blue\n"),
  "other-name.csv": bytes("person,name\na,Ada\nb,Bob\n"),
  "no-header.csv": bytes("a,red,1\nb,blue,2.5\n"),
  "semicolons.csv": bytes("\ufeffid;town\na;Rome, east\nb;\nzed;Oslo\na;Bern\n"),
  "quoted.csv": bytes('id,"a ""b"""\n"two\nlines","x\ny"\na,"p,q"\n'),
  "codes.csv": bytes("id,class,hex,big\na,0,0x10,1e99\nb,5,2,1\n7, 5 ,3,2\n"),
  "row-names.csv": bytes(",age,age\na,1.5,x\nb,2.5,y\n"),
  "lines.jsonl": bytes('{"id": "a", "size": 1.5}\n{"id": "b", "town": "Rome"}\n'),
};

const REFUSED: Readonly<Record<string, string>> = {
  "strangers.csv": "person,town\nx,Rome\n",
  "no-id.csv": "id,town\na,Rome\n,Oslo\n",
};

describe("the command line and the page", () => {
  const written = (name: string, content: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  test.each(Object.entries(READABLE))("read %s as the same attributes", async (name, content) => {
    const inPage = await readInPage(new File([Uint8Array.from(content)], name), ids);
    expect(inPage.attributes).toEqual(await readNodeTable(written(name, content), ids, () => {}));
    expect(inPage.matched).toBeGreaterThan(0);
  });

  test.each(Object.entries(REFUSED))("refuse %s", async (name, content) => {
    await expect(readNodeTable(written(name, bytes(content)), ids, () => {})).rejects.toThrow(name);
    await expect(readInPage(new File([content], name), ids)).rejects.toThrow(name);
  });
});
