import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { StoreVideoRow } from '#contract/admin/videos.ts'
import { Chip } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useColumnChoice, useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { ExportLink } from '../../ui/export-link'
import { Filters, SearchField } from '../../ui/filters'
import form from '../../ui/form.module.css'
import { ListViews } from '../../ui/list-views'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { LibraryUploads } from './library-uploads'
import styles from './media.module.css'
import { VideoUse } from './video-facts'
import { videoLibraryCountQuery, videoLibraryQuery } from './videos.queries'
import { parseLibrarySearch } from './videos.search'

/** Links to the two lists of videos. */
export function VideoTabs() {
  const { t } = useLingui()
  const exact = { exact: true, includeSearch: false }
  return (
    <nav className={form.buttons} aria-label={t`Lists of videos`}>
      <Chip render={<Link to="/videos" activeOptions={exact} />}>
        <Trans>Encoding</Trans>
      </Chip>
      <Chip render={<Link to="/videos/library" activeOptions={exact} />}>
        <Trans>Library</Trans>
      </Chip>
    </nav>
  )
}

/** What a video is called: its own name, its file, or else what shows it. */
export const nameOfVideo = ({ name, file, shownBy }: Pick<StoreVideoRow, 'name' | 'file' | 'shownBy'>): string =>
  name ?? file ?? shownBy[0]?.title ?? '–'

/** A picture of a video; without one, its place. */
export function Thumbnail({ poster }: Pick<StoreVideoRow, 'poster'>) {
  return poster ? (
    <img className={styles.thumbnail} src={poster} alt="" loading="lazy" width={96} height={54} />
  ) : (
    <span className={styles.thumbnail} />
  )
}

/** Products and lessons that are named of each video. */
export const shownUses = 3

const route = getRouteApi('/videos/library')

/** All videos that can be shown, latest first, with what shows them. */
export function VideoLibrary() {
  const { t } = useLingui()
  const { dateTime, duration, fileSize } = useFormat()
  const isAllowed = useMay()('videos:write')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useSearchChange(navigate)
  const choice = useColumnChoice(search, navigate)
  const { cursor: _, ...view } = search
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const api = useAdminApi()
  const videos = useQuery({ ...videoLibraryQuery(api, search), placeholderData: keepPreviousData })
  return (
    <Page title={t`Videos`} actions={<ExportLink list="videos" filters={view} />}>
      <VideoTabs />
      {isAllowed && <LibraryUploads />}
      <ListViews
        list="videos"
        search={view}
        linkTo={(parameters) => (
          <Link to="/videos/library" activeOptions={{ exact: true }} search={parseLibrarySearch(parameters)} />
        )}
        onShow={(parameters) => void navigate({ search: parseLibrarySearch(parameters) })}
      />
      <Filters>
        <SearchField label={t`File, title or code`} value={search.q ?? ''} onSearch={find} />
      </Filters>
      <Loaded query={videos}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Videos`}
            choice={choice}
            items={items}
            keyOf={({ id }) => id}
            empty={
              search.q ? (
                <Trans>No video fits this search.</Trans>
              ) : (
                <Trans>Upload videos here, or on the page of their product.</Trans>
              )
            }
            columns={[
              {
                key: 'video',
                header: t`Video`,
                cell: (video) => (
                  <span className={styles.video}>
                    <Thumbnail poster={video.poster} />
                    <Link
                      to="/videos/$id"
                      params={{ id: video.id }}
                      search={{ ...(video.shownBy[0] && { product: video.shownBy[0].productCode }) }}
                    >
                      <bdi>{nameOfVideo(video)}</bdi>
                    </Link>
                  </span>
                ),
              },
              {
                key: 'shown',
                header: t`Shown by`,
                isText: true,
                isExtra: true,
                cell: ({ shownBy }) => (
                  <>
                    {shownBy.slice(0, shownUses).map(({ productCode, lessonId, title }) => (
                      <VideoUse key={`${productCode} ${lessonId}`} use={{ productCode, lessonId, title }} />
                    ))}
                    {shownBy.length > shownUses && (
                      <Plural value={shownBy.length - shownUses} one="and # more" other="and # more" />
                    )}
                    {shownBy.length === 0 && <Trans>Nothing</Trans>}
                  </>
                ),
              },
              {
                key: 'length',
                header: t`Length`,
                atEnd: true,
                cell: ({ durationSeconds }) => duration(durationSeconds),
              },
              {
                key: 'size',
                header: t`Resolution`,
                isExtra: true,
                cell: ({ width, height }) => (width && height ? `${width} × ${height}` : '–'),
              },
              {
                key: 'file',
                header: t`File`,
                isOptional: true,
                isText: true,
                cell: ({ file }) => <bdi>{file ?? '–'}</bdi>,
              },
              {
                key: 'bytes',
                header: t`Size`,
                isOptional: true,
                atEnd: true,
                cell: ({ bytes }) => (bytes === null ? '–' : fileSize(bytes)),
              },
              { key: 'added', header: t`Added`, isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
            ]}
            paging={
              <Paging
                total={{ shown: items.length, count: videoLibraryCountQuery(api, search) }}
                first={search.cursor && <Link to="/videos/library" search={{ ...search, cursor: undefined }} />}
                next={nextCursor && <Link to="/videos/library" search={{ ...search, cursor: nextCursor }} />}
              />
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
