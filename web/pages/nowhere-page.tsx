import { PageFrame } from '../parts/page-frame.tsx';
import { Empty } from '../parts/trouble.tsx';

export function NowherePage() {
  return (
    <PageFrame title="Nothing here" heading="Nothing here">
      <Empty title="This link leads nowhere.">
        <p>
          <a href="#/">Begin again</a>
        </p>
      </Empty>
    </PageFrame>
  );
}
