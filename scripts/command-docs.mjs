/** docs/commands.md, made from the definitions of the commands. */

/** Commands and their subcommands, loaded, in the order of the help. */
async function loadAll(entries, prefix = "") {
  const found = [];
  for (const { name, summary, load } of entries) {
    const command = await load();
    found.push({ ...command, name: `${prefix}${name}`, summary });
    found.push(...(await loadAll(command.subcommands ?? [], `${name} `)));
  }
  return found;
}

/** `common`: the options of every command; `optionRows`: that of src/cli/terminal/help.ts. */
export async function documentCommands(commands, common, optionRows) {
  const all = await loadAll(commands);
  const optionList = (options) => optionRows(options).map(([flag, text]) => `- \`${flag}\`: ${text}`);
  return [
    "# Commands",
    "",
    "Made by `npm run docs` from the definitions in `src/cli/`. From a clone, write `npm start --` instead of `hmge`; from a program that has the package, `npx hmge`.",
    "",
    ...commands.map(({ name, summary }) => `- [\`hmge ${name}\`](#${anchor(name)}): ${summary}`),
    "",
    "Every command has these options:",
    "",
    ...optionList(common),
    "",
    "Exit codes: 0 success; 2 a mistake in the input (one line says where, what was found and what to do); 1 a fault of the program; 130 stopped by Ctrl-C before there was a result. Stopped later, a command keeps its results so far and says so.",
    "",
    ...all.flatMap((command) => chapter(command, optionList(command.options))),
  ].join("\n");
}

function chapter({ name, usage, summary, examples }, options) {
  return [
    `## hmge ${name}`,
    "",
    `${summary[0].toUpperCase()}${summary.slice(1)}.`,
    "",
    "```",
    `hmge ${name} ${usage}`,
    "```",
    "",
    ...(options.length === 0 ? [] : [...options, ""]),
    "```",
    ...examples.map((example) => `hmge ${name} ${example}`.trimEnd()),
    "```",
    "",
  ];
}

/** The anchor that a heading "hmge NAME" gets. */
function anchor(name) {
  return `hmge-${name.replaceAll(" ", "-")}`;
}
