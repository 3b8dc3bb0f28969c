import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

/** Writes the names of the tests that passed at a later attempt into a file, as a JSON array. */
export default class FlakyReporter implements Reporter {
  readonly #file: string
  readonly #flaky: string[] = []

  constructor({ outputFile = 'test-results/vitest-flaky.json' }: { outputFile?: string } = {}) {
    this.#file = outputFile
  }

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky) this.#flaky.push(`${relative('', test.module.moduleId)} ${test.fullName}`)
  }

  onTestRunEnd() {
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.#flaky))
  }
}
