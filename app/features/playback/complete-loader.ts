import type {
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js'

/**
 * A loader that reports a file shorter than its `Content-Length` as a failed request, and calls `onShort` with its address.
 * Chromium answers such files: it resumes a broken download from its cache, and when the connection breaks a second time it
 * takes what it has for the whole file, and keeps it.
 */
export const completeLoader = (
  Base: new (config: HlsConfig) => Loader<LoaderContext>,
  onShort: (url: string) => void,
) =>
  class extends (Base as new (config: HlsConfig) => Loader<FragmentLoaderContext>) {
    override load(
      context: FragmentLoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<FragmentLoaderContext>,
    ) {
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, stats, answered, xhr) => {
          if (!isShort(response.data, xhr)) return callbacks.onSuccess(response, stats, answered, xhr)
          onShort(context.url)
          callbacks.onError({ code: 0, text: 'The file is shorter than announced.' }, context, xhr, stats)
        },
      })
    }
  }

function isShort(data: unknown, xhr: unknown) {
  if (!(data instanceof ArrayBuffer && xhr instanceof XMLHttpRequest)) return false
  // A compressed file is shorter on its way than in memory.
  if (xhr.getResponseHeader('content-encoding')) return false
  return data.byteLength < Number(xhr.getResponseHeader('content-length') ?? 0)
}
