import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

/**
 * Writes the names of the tests that passed at a later attempt into a file, as a JSON array, and
 * prints why the attempts before failed.
 */
export default class FlakyReporter implements Reporter {
  readonly #file: string
  readonly #flaky: string[] = []

  constructor({ outputFile = 'test-results/vitest-flaky.json' }: { outputFile?: string } = {}) {
    this.#file = outputFile
  }

  onTestCaseResult(test: TestCase) {
    if (!test.diagnostic()?.flaky) return
    const name = `${relative('', test.module.moduleId)} ${test.fullName}`
    this.#flaky.push(name)
    for (const { message, stack, cause } of test.result().errors ?? [])
      console.error(
        `A first attempt failed: ${name}\n${message}\n${stack ?? ''}\n${cause ? String(cause.message) : ''}`,
      )
  }

  onTestRunEnd() {
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.#flaky))
  }
}
