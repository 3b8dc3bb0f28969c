import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { StoreVideoRow } from '#contract/admin/videos.ts'
import { Chip } from '~/ui/chip'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { useSearchChange } from '../../platform/search'
import { useMay } from '../../platform/session'
import { DataList } from '../../ui/data-list'
import { Filters, SearchField } from '../../ui/filters'
import form from '../../ui/form.module.css'
import { Page } from '../../ui/page'
import { Paging } from '../../ui/paging'
import { Loaded } from '../../ui/states'
import { LibraryUploads } from './library-uploads'
import styles from './media.module.css'
import { VideoUse } from './video-facts'
import { videoLibraryQuery } from './videos.queries'

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
  const { dateTime, duration } = useFormat()
  const isAllowed = useMay()('videos:write')
  const search = route.useSearch()
  const change = useSearchChange(route.useNavigate())
  const find = useCallback((q: string) => change({ q: q || undefined }), [change])
  const videos = useQuery({ ...videoLibraryQuery(useAdminApi(), search), placeholderData: keepPreviousData })
  return (
    <Page title={t`Videos`}>
      <VideoTabs />
      {isAllowed && <LibraryUploads />}
      <Filters>
        <SearchField label={t`File, title or code`} value={search.q ?? ''} onSearch={find} />
      </Filters>
      <Loaded query={videos}>
        {({ items, nextCursor }) => (
          <DataList
            label={t`Videos`}
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
              { key: 'added', header: t`Added`, isExtra: true, cell: ({ createdAt }) => dateTime(createdAt) },
            ]}
            paging={
              <Paging
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
