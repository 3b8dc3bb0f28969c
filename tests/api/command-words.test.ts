import { globSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { settingNames } from '#api/modules/tenancy/check-settings.ts'
import { createProgram } from '#cli/program.ts'
import { faultOf } from '#tests/support/command-lines.ts'
import { cliReference } from '../../scripts/cli-reference.ts'

const program = createProgram()
const groups = program.commands.filter(({ commands }) => commands.length > 0).map((group) => group.name())

/** Commands that a text names: in full, or as a piece of code by their group and name. */
const commandsIn = (text: string) => {
  const whole = text.replaceAll(/\\\n\s*/g, '').matchAll(/npm run cli -- ([a-z][^`'\n#>]*)/g)
  const pieces = text.matchAll(new RegExp(`\`((?:${groups.join('|')}) [a-z][^\`\n]*)\``, 'g'))
  return [...whole, ...pieces].map(([, line = '']) => line)
}

test('A command that a page or a message names is one there is, with such options', () => {
  const files = ['README.md', ...globSync(['docs/**/*.md', 'cli/**/*.ts', 'api/**/*.ts'])]
  const lines = files.flatMap((file) => commandsIn(readFileSync(file, 'utf8')))
  expect(lines.length).toBeGreaterThan(40)
  expect(lines.map((line) => faultOf(program, line)).filter(Boolean)).toEqual([])
  expect(faultOf(program, 'video jobs -c acme')).toContain('video has no command jobs')
  expect(faultOf(program, 'video list --custmer acme')).toContain('list has no option --custmer')
})

test('A command that is written wrong is told which one is near', async () => {
  let said = ''
  const strict = createProgram().configureOutput({ writeErr: (text) => (said += text) })
  await expect(strict.parseAsync(['vidoe', 'list'], { from: 'user' })).rejects.toThrow('unknown command')
  expect(said).toContain('Did you mean video?')
  expect(said).toContain('--help')
})

const commandAt = (program: Command, path: string[]) =>
  path.reduce((parent, name) => parent.commands.find((one) => one.name() === name)!, program)

test('A mark that is none is told what one looks like', async () => {
  for (const [name, args] of [
    ['mark', ['ZZZ']],
    ['media leaks', ['--mark', '0B1C2D3G']],
  ] as const) {
    let said = ''
    const strict = createProgram()
    const path = name.split(' ')
    commandAt(strict, path).configureOutput({ writeErr: (text) => (said += text) })
    await expect(strict.parseAsync([...path, '-c', 'acme', ...args], { from: 'user' })).rejects.toMatchObject({
      exitCode: 1,
    })
    expect(said).toContain('A mark has eight characters, 0 to 9 and A to F, for example 0B1C2D3E.')
  }
})

test('A number that is none is told what one looks like', async () => {
  for (const [name, args] of [
    ['media leaks', ['--limit', 'many']],
    ['cases', ['--limit', '-1']],
    ['audit', ['--limit', '0']],
    ['video drm', ['--product', 'K100', '--system', 'com.apple.fps', '--lesson', 'one']],
  ] as const) {
    let said = ''
    const strict = createProgram()
    const path = name.split(' ')
    commandAt(strict, path).configureOutput({ writeErr: (text) => (said += text) })
    await expect(strict.parseAsync([...path, '-c', 'acme', ...args], { from: 'user' })).rejects.toMatchObject({
      exitCode: 1,
    })
    expect(said).toContain('Enter a number from 1, for example 3.')
  }
})

test('The guide tells of every setting, and of no other', () => {
  const guide = readFileSync('docs/operations.md', 'utf8')
  const section = guide.slice(guide.indexOf('\n## Settings\n'), guide.indexOf('\n## Operator commands\n'))
  const rows = [...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual([...settingNames])
})

test('docs/cli.md describes the commands as they are', () => {
  // After a change of a command: node scripts/cli-reference.ts
  expect(readFileSync('docs/cli.md', 'utf8')).toBe(cliReference())
})
