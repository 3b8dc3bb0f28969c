import { defineConfig } from '@lingui/cli'
import { babelExtractor } from '@lingui/cli/api/extractors/babel'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/**
 * Reads messages as Lingui does. The API runs without a build and hence without macros: it calls `i18n._` with the English
 * text. Such a message is written as those of the app are. It names no line, so that its catalogue changes with texts alone.
 */
const extractor: typeof babelExtractor = {
  match: babelExtractor.match,
  extract: async (filename, code, onMessageExtracted, context) => {
    if (!/i18n|lingui/.test(code)) return
    const found: typeof onMessageExtracted = ({ origin, ...message }) =>
      message.message === undefined
        ? onMessageExtracted({ ...message, id: generateMessageId(message.id, message.context), message: message.id })
        : onMessageExtracted({ ...message, ...(origin && { origin }) })
    await babelExtractor.extract(filename, code, found, context)
  },
}

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'ko', 'ja', 'ar'],
  fallbackLocales: { default: 'en' },
  extractors: [extractor],
  // Values that visitors write are never read as elements.
  runtimeConfigModule: { Trans: ['~/platform/i18n/trans', 'Trans'] },
  catalogs: [
    { path: '<rootDir>/app/locales/{locale}/messages', include: ['app'] },
    { path: '<rootDir>/api/locales/{locale}/messages', include: ['api', 'server'] },
  ],
})
