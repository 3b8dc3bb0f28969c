/**
 * Writes `docs/cli.md` from the commands themselves.
 *
 *   npm run generate
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Argument, Command, Option } from 'commander'
import { argumentTerm, createProgram } from '#cli/program.ts'

const file = fileURLToPath(new URL('../docs/cli.md', import.meta.url))

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/<([^>]+)>/g, '&lt;$1&gt;')
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

const heading = `# Command reference

Every command is called as ${code('npm run cli -- <command>')}. ${code('--help')} after a command shows the same.

Commands marked with **store** need ${code('-c, --customer <code>')}: the store, by its customer code. They also take
${code('--by <name>')}: who acts, for the audit (by default your name on this machine).

A plural lists (${code('orders')}). A singular is followed by what it shows (${code('order <order>')}) or by a verb (${code('video add')}).
`

/** Options that every command of a store has; the heading describes them. */
const ofStores = new Set(['--customer', '--by'])

/**
 * The content of `docs/cli.md`: each command with its arguments and options, by area, in the order
 * of the command's help.
 */
export const cliReference = (): string => {
  const { commands } = createProgram()
  const areas = new Set(commands.map((command) => command.helpGroup()))
  return [
    heading,
    ...[...areas].map((area) =>
      section(
        area,
        commands.filter((command) => command.helpGroup() === area),
      ),
    ),
  ].join('\n')
}

const section = (area: string, commands: readonly Command[]) =>
  [
    `## ${area.replace(/:$/, '')}\n`,
    ...commands.flatMap((command) => leaves(command, command.name())).map(({ command, path }) => entry(command, path)),
  ].join('\n')

const leaves = (command: Command, path: string): { command: Command; path: string }[] =>
  command.commands.length === 0
    ? [{ command, path }]
    : command.commands.flatMap((each) => leaves(each, `${path} ${each.name()}`))

function entry(command: Command, path: string): string {
  const usage = [path, ...command.registeredArguments.map(argumentTerm)].join(' ')
  const isOfStore = command.options.some(({ long }) => long === '--customer')
  const rows = [
    ...command.registeredArguments.filter(({ description }) => description).map(argumentRow),
    ...command.options.filter(({ long }) => !ofStores.has(long ?? '')).map(optionRow),
  ]
  const table = rows.length > 0 ? `\n| | |\n| --- | --- |\n${rows.join('\n')}\n` : ''
  return `### ${code(usage)}\n\n${sentence(cell(command.description()))}${isOfStore ? ' **store**' : ''}\n${table}`
}

const argumentRow = (argument: Argument) => `| ${code(argumentTerm(argument))} | ${cell(argument.description)} |`

function optionRow({ flags, description, mandatory, defaultValue, defaultValueDescription }: Option) {
  const isEmpty = !defaultValue || (typeof defaultValue === 'object' && defaultValueDescription === undefined)
  const shown = defaultValueDescription ?? JSON.stringify(defaultValue)
  return `| ${code(flags)} | ${mandatory ? 'required: ' : ''}${cell(description)}${isEmpty ? '' : ` (default ${shown})`} |`
}

if (import.meta.main) writeFileSync(file, cliReference())
