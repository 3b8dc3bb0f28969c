import { globSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { settingNames } from '#api/modules/tenancy/check-settings.ts'
import { failure } from '#api/platform/context.ts'
import { failureSentence } from '#cli/platform/failures.ts'
import { createProgram, withPresentName } from '#cli/program.ts'
import { type ProblemCode, problemStatus } from '#contract/problem.ts'
import { faultOf, faultOfWhole } from '#tests/support/command-lines.ts'
import { cliReference } from '../../scripts/cli-reference.ts'

const program = createProgram()
const groups = program.commands.filter(({ commands }) => commands.length > 0).map((group) => group.name())

const commandAt = (program: Command, path: string[]) =>
  path.reduce((parent, name) => parent.commands.find((one) => one.name() === name)!, program)

/** Finds the commands in a text: complete lines, or group and name as inline code. */
const commandsIn = (text: string) => {
  const whole = text.replaceAll(/\\\n\s*/g, '').matchAll(/npm run cli -- ([a-z][^`'\n#>]*)/g)
  const pieces = text.matchAll(new RegExp(`\`((?:${groups.join('|')}) [a-z][^\`\n]*)\``, 'g'))
  return [...whole, ...pieces].map(([, line = '']) => line)
}

test('every command in documents and messages exists with its options', () => {
  const files = [
    'README.md',
    ...globSync(['docs/**/*.md', 'cli/**/*.ts', 'api/**/*.ts', 'server/**/*.ts', 'deploy/**/*.*']),
  ]
  const lines = files.flatMap((file) => commandsIn(readFileSync(file, 'utf8')))
  expect(lines.length).toBeGreaterThan(40)
  expect(lines.map((line) => faultOf(program, line)).filter(Boolean)).toEqual([])
  expect(faultOf(program, 'video jobs -c acme')).toContain('video has no command jobs')
  expect(faultOf(program, 'videos --custmer acme')).toContain('videos has no option --custmer')
})

test('commands to be copied from documents and alerts have their required options', () => {
  const blocks = ['README.md', ...globSync('docs/**/*.md')].flatMap((file) =>
    commandsIn((readFileSync(file, 'utf8').match(/^npm run cli -- (?:.*\\\n)*.*$/gm) ?? []).join('\n')),
  )
  const alerts = globSync('deploy/**/*.yml').flatMap((file) => commandsIn(readFileSync(file, 'utf8')))
  expect(blocks.length).toBeGreaterThan(20)
  expect(alerts.length).toBeGreaterThan(4)
  expect([...blocks, ...alerts].map((line) => faultOfWhole(program, line)).filter(Boolean)).toEqual([])
  expect(faultOfWhole(program, 'videos')).toContain('videos lacks --customer')
})

test('the help lists the commands by area, each described in one line of 80 columns', () => {
  const help = program.helpInformation()
  expect(help).toMatch(/^Usage: npm run cli -- <command>\n/)
  expect(help).toMatch(/^Orders and refunds:\n {2}orders +List orders, newest first$/m)
  expect(help).not.toMatch(/^Commands:$/m)
  for (const parent of [program, ...program.commands])
    for (const command of parent.commands) expect(parent.helpInformation()).toContain(`  ${command.description()}\n`)
})

test('the help of a command has neither internal defaults nor two kinds of apostrophes, and marks what is required', () => {
  const helps = (command: Command): string[] => [command.helpInformation(), ...command.commands.flatMap(helps)]
  for (const help of helps(program)) {
    expect(help).not.toMatch(/\[\]|\{\}|\["/)
    expect(help).not.toMatch(/\w'\w/)
    expect(help).not.toMatch(/-c, --customer <code> +the store/)
  }
  expect(commandAt(program, ['orders']).helpInformation()).toMatch(/-c, --customer <code> +required: the store/)
  expect(commandAt(program, ['refund']).helpInformation()).toMatch(/--reason <text> +required: reason/)
  expect(commandAt(program, ['catalog', 'export']).helpInformation()).toMatch(/\(default:\s+all\)/)
})

test('an unknown command is refused with the nearest one', async () => {
  let output = ''
  const strict = createProgram().configureOutput({ writeErr: (text) => (output += text) })
  await expect(strict.parseAsync(['vidoe', 'list'], { from: 'user' })).rejects.toThrow('unknown command')
  expect(output).toContain('Did you mean video?')
  expect(output).toContain('--help')
})

test('former names of commands run the present ones', () => {
  expect(withPresentName(['video', 'list', '-c', 'acme'])).toEqual(['videos', '-c', 'acme'])
  expect(withPresentName(['mails', 'resend', '--failed'])).toEqual(['mail', 'resend', '--failed'])
  expect(withPresentName(['orders', '-c', 'acme'])).toEqual(['orders', '-c', 'acme'])
  expect(withPresentName(['--help'])).toEqual(['--help'])
})

test('an invalid watermark is refused with an example', async () => {
  for (const [name, args] of [
    ['watermark', ['ZZZ']],
    ['media leaks', ['--watermark', '0B1C2D3G']],
  ] as const) {
    let output = ''
    const strict = createProgram()
    const path = name.split(' ')
    commandAt(strict, path).configureOutput({ writeErr: (text) => (output += text) })
    await expect(strict.parseAsync([...path, '-c', 'acme', ...args], { from: 'user' })).rejects.toMatchObject({
      exitCode: 1,
    })
    expect(output).toContain('A watermark has eight characters, 0 to 9 and A to F, for example 0B1C2D3E.')
  }
})

test('an invalid number is refused with an example', async () => {
  for (const [name, args] of [
    ['media leaks', ['--limit', 'many']],
    ['cases', ['--limit', '-1']],
    ['audit', ['--limit', '0']],
    ['video drm', ['--product', 'K100', '--system', 'com.apple.fps', '--lesson', 'one']],
  ] as const) {
    let output = ''
    const strict = createProgram()
    const path = name.split(' ')
    commandAt(strict, path).configureOutput({ writeErr: (text) => (output += text) })
    await expect(strict.parseAsync([...path, '-c', 'acme', ...args], { from: 'user' })).rejects.toMatchObject({
      exitCode: 1,
    })
    expect(output).toContain('Enter a number from 1, for example 3.')
  }
})

test('every failure of the contract is a sentence on the command line', () => {
  for (const code of Object.keys(problemStatus) as ProblemCode[]) {
    const sentence = failureSentence(failure(code))
    expect(sentence, code).toMatch(/^[A-Z][a-z]* .*\S$/)
    expect(sentence, code).not.toContain(code)
    expect(sentence, code).not.toContain('The command failed')
  }
  expect(failureSentence(failure('CONFLICT', { data: { reason: 'Card expired' } }))).toBe(
    'The payment provider refused: Card expired',
  )
})

test('docs/guides/stores.md lists every setting and no other', () => {
  const guide = readFileSync('docs/guides/stores.md', 'utf8')
  const section = guide.slice(guide.indexOf('\n## Settings\n'))
  const rows = [...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual([...settingNames])
})

test('docs/cli.md is up to date with the commands', () => {
  // After a change of a command: npm run generate
  expect(readFileSync('docs/cli.md', 'utf8')).toBe(cliReference())
})
