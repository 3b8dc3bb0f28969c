import { defineConfig } from '@lingui/cli'
import { babelExtractor } from '@lingui/cli/api/extractors/babel'
import { formatter } from '@lingui/format-po'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/**
 * Extracts messages as Lingui does. The API runs without a build and therefore without macros: it
 * calls `i18n._` with the English text. Catalogues name the files of the app without line numbers,
 * so that they change only when texts change.
 */
const extractor: typeof babelExtractor = {
  match: babelExtractor.match,
  extract: async (filename, code, onMessageExtracted, context) => {
    if (!/i18n|lingui/.test(code)) return
    const report: typeof onMessageExtracted = ({ origin, ...message }) =>
      message.message === undefined
        ? onMessageExtracted({ ...message, id: generateMessageId(message.id, message.context), message: message.id })
        : onMessageExtracted({ ...message, ...(origin && { origin }) })
    await babelExtractor.extract(filename, code, report, context)
  },
}

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ko', 'ja', 'ar'],
  fallbackLocales: { default: 'en' },
  extractors: [extractor],
  format: formatter({ lineNumbers: false }),
  // Values from visitors are never parsed as elements.
  runtimeConfigModule: { Trans: ['~/platform/i18n/store-text', 'Trans'] },
  catalogs: [
    { path: '<rootDir>/app/locales/{locale}/messages', include: ['app'] },
    { path: '<rootDir>/api/locales/{locale}/messages', include: ['api', 'server'] },
  ],
})
