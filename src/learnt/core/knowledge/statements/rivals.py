"""Values of which a thing has one: where two statements name different ones, they clash.

One kind of value a line, its members parted by blanks; those that mean the same are joined by `=`.
"""

from typing import Final

RIVALS: Final = """
weekday: monday=mondays=周一=星期一=每周一=礼拜一 tuesday=tuesdays=周二=星期二=每周二=礼拜二 \
wednesday=wednesdays=周三=星期三=每周三=礼拜三 thursday=thursdays=周四=星期四=每周四=礼拜四 \
friday=fridays=周五=星期五=每周五=礼拜五 saturday=saturdays=周六=星期六=每周六=礼拜六 \
sunday=sundays=周日=星期日=星期天=每周日=礼拜天
frequency: minutely=每分钟 hourly=每小时 daily=nightly=每天=每日=每晚 weekly=每周 \
monthly=每月=每个月 \
quarterly=每季度 yearly=annually=annual=每年
type: int=integer=integers=tinyint=smallint=整数 bigint varchar=text=string=字符串=文本 \
json=jsonb uuid=uuidv4 ulid=ulids serial decimal=numeric=小数 float=double=浮点 boolean=bool=布尔 \
enum=枚举 timestamp=timestamptz=时间戳 datetime date=日期 bytea=blob array=数组 citext bitmask
hash: bcrypt md5 sha1=sha-1 sha256=sha-256 argon2=argon2id scrypt crc32 aes des rsa sm4
database: mysql=mariadb postgres=postgresql=pg oracle sqlite mongodb=mongo redis clickhouse \
bigquery \
snowflake elasticsearch=es hbase hive dynamodb cassandra tidb doris starrocks memcached neo4j
bucket: s3 gcs oss minio hdfs cos
place: frankfurt dublin london paris virginia oregon tokyo singapore 新加坡 北京 上海 广州 深圳 \
杭州 \
华南 华北 华东 香港 eu-west-1 us-east-1 eu-central-1
zone: utc=gmt local=本地时间 北京时间=东八区=本地=cst
unit: seconds=秒 milliseconds=ms=毫秒 microseconds=微秒 minutes=分钟
weight: grams=克 kilograms=kg=公斤=千克 pounds tons=吨
length: metres=meters=米 kilometres=km=公里 miles=英里 feet
speed: knots km/h=kmh mph
currency: cents=分 euros=eur=欧元 dollars=usd=美元 元=人民币=rmb=cny chf gbp
volts: millivolts volts
format: csv json xml yaml toml parquet orc avro protobuf=proto excel=xlsx ini
package: npm pnpm yarn poetry pip pipenv conda uv
formatter: black ruff prettier eslint biome isort flake8
build: webpack vite rollup esbuild bazel gradle maven make cmake ninja
role: buyer=customer=customers=purchaser=买家=顾客=消费者 \
seller=merchant=merchants=shop=商家=卖家=商户 \
platform=平台 \
driver=司机 courier=骑手
staff: doctor=医生 nurse=护士 pharmacist=药师 teacher=教师=老师 student=学生 客服 运营
approver: admin=admins=管理员 manager=managers=主管=经理 财务=财务部 法务=法务部 运维 \
compliance finance legal owner=owners
order: ascending=asc=升序=正序 descending=desc=降序=倒序
extreme: highest=largest=最大=最高 lowest=smallest=最小=最低
base: first-in=fifo lifo
mode: transaction session statement
isolation: rr rc serializable snapshot
position: left right
endian: big-endian little-endian
protocol: http https grpc mqtt websocket amqp ftp sftp http/1.1 http/2 tcp udp
level: low medium high critical
count: per-day once-per
compression: gzip zstd lz4 snappy brotli
broker: kafka rabbitmq rocketmq sqs nats pulsar
secrets: vault wrangler kms
gateway: bastion teleport vpn proxy
ci: jenkins gitlab github
tax: gross=含税 net=不含税
whole: 国内 海外
language: english=英文=英语 german=德文 french=法文 chinese=中文 japanese=日文
month: january february march april june july august september october november december
ends: start end
clock: created_at=created updated_at=updated
cloud: aws azure gcp=google aliyun=阿里云 腾讯云 华为云
shell: bash zsh powershell fish
orchestrator: kubernetes=k8s nomad swarm ecs
deploy: helm kustomize argocd ansible terraform
monitor: grafana prometheus datadog sentry kibana
queue: fifo lifo
cache: memory=内存 disk=磁盘
runtime: jvm node deno bun
test: jest vitest mocha pytest unittest
browser: chrome firefox safari edge
linter: pylint flake8 golint
auth: jwt oauth=oauth2 saml ldap basic
charset: utf8=utf-8=utf8mb4 gbk latin1 ascii
rounding: 向上取整=进位 向下取整=舍去 四舍五入
shipping: 空运 海运 陆运 铁路
channel: 微信 支付宝 短信 邮件
position: 首页 末页
key: uuid 雪花=snowflake 自增=autoincrement
collation: utf8mb4_bin utf8mb4_general_ci
approval: 自动审批 人工审批
person: 单人 双人
partition: hash=哈希 range=范围
replication: 主从 双主
eviction: lru lfu noeviction allkeys-lru volatile-lru
delivery: at-least-once=至少一次 at-most-once=至多一次 exactly-once=恰好一次=精确一次
balancing: round-robin=轮询 least-connections=最少连接 random=随机 weighted=加权
join: inner=inner_join left right full cross
casing: snake_case=蛇形 camelcase=驼峰 kebab-case pascalcase
merging: squash rebase merge-commit fast-forward
lines: crlf lf
compatibility: backward forward
engine: innodb myisam rocksdb
structure: btree gin gist brin
chat: slack teams discord telegram whatsapp 钉钉 飞书 企业微信
tracker: jira linear asana trello 禅道 tapd
payer: stripe paypal adyen braintree mollie
distribution: ubuntu debian alpine centos fedora rhel
branch: master develop trunk
proxy: nginx caddy traefik haproxy envoy apache
server: gunicorn uvicorn uwsgi tomcat jetty undertow
framework: react vue angular svelte
web: django flask fastapi express nestjs rails laravel spring
mobile: flutter swiftui react-native kotlin swift
etl: spark flink beam storm airflow dagster prefect
schema: flyway liquibase alembic knex prisma
renderer: chrome puppeteer wkhtmltopdf weasyprint playwright selenium cypress
colour: red=红色 green=绿色 blue=蓝色 yellow=黄色 orange=橙色 black=黑色 white=白色 grey=gray=灰色
department: 人事部=人事 销售部=销售 市场部 采购部 研发部 安全部 质检部
parity: even none mark
orientation: portrait landscape
signing: hmac ed25519 ecdsa rs256 hs256
release: canary blue-green rolling=滚动 灰度 蓝绿
lookup: 精确 模糊=近似
tiers: client=browser=browsers=客户端=浏览器 server=servers=backend=服务端=服务器=后端
reading: table=tables view=views
language: python=py java golang=go rust ruby php perl scala kotlin c++ c# typescript=ts lua elixir
radio: bluetooth=蓝牙 wifi=wi-fi gps lora zigbee nfc lte 4g 5g ethernet=以太网 can i2c spi uart
hours: morning=mornings=早上=上午=清晨=早晨 afternoon=下午 evening=evenings=晚上=傍晚 noon=中午 \
midnight=午夜=零点
hosting: github gitlab bitbucket gitee gerrit
images: ecr gcr harbor dockerhub quay
frames: pandas polars duckdb dask
learning: pytorch tensorflow jax xgboost lightgbm catboost
metric: rmse mae auc f1 accuracy=准确率 recall=召回率 mape
optimizer: adam sgd adamw rmsprop
pieces: bpe wordpiece sentencepiece
logs: loki splunk graylog elk
tracing: jaeger zipkin tempo
paging: pagerduty opsgenie victorops
wiki: confluence notion wiki sharepoint 语雀
cdn: akamai fastly cloudfront cloudflare
finder: solr opensearch meilisearch algolia typesense
stamp: epoch iso8601 iso-8601 rfc3339
width: float32 float64 int8 int32 int64 uint32 uint64 fp16 bf16 fp32
style: tailwind bootstrap sass less
state: redux mobx zustand pinia vuex
containers: docker podman containerd
versions: git svn mercurial perforce
rights: rbac abac
bits: 8-bit 16-bit 32-bit 64-bit 32位 64位 16位 8位
layer: primary-key foreign-key 主键 外键
transport: train=trains=火车=铁路 bus=buses=公交 ferry=轮渡 truck=trucks=卡车 plane=planes=飞机 \
taxi=出租车
unitary: centivolts decivolts
meal: breakfast=早餐 lunch=午餐 dinner=晚餐
country: germany=德国 france=法国 italy=意大利 spain=西班牙 poland=波兰 austria=奥地利 \
switzerland=瑞士 netherlands=荷兰 japan=日本 korea=韩国 india=印度 brazil=巴西 canada=加拿大 \
ireland=爱尔兰 美国 英国
site: berlin=柏林 munich=慕尼黑 hamburg=汉堡 vienna=维也纳 zurich=苏黎世 madrid=马德里 rome=罗马 \
amsterdam=阿姆斯特丹 stockholm oslo warsaw prague milan lisbon 成都 武汉 南京 西安 重庆 苏州 天津
"""

SCOPES: Final = """
stage: staging=stage=预发=预生产 production=prod=生产=生产环境=生产集群=线上=正式环境 \
test=testing=uat=测试环境=测试集群 development=dev=开发环境=开发集群 sandbox=沙箱 preview
platform: ios android=安卓 windows linux macos=mac web h5 小程序
machine: arm64 amd64 x86 gpu
line: 离线 实时 在线
direction: 扩容 缩容
part: 上线 下线
edition: 体验版 正式版
tier: standard=普通=标准版 premium=高级=高级版 enterprise=企业版 pro=专业版 \
basic=基础版 freemium=免费版 silver=银卡 gold=金卡 platinum=白金
caller: anonymous=unauthenticated=匿名=未登录 authenticated=logged-in=已登录
phase: read=读 write=写 connect=连接
age: adult=adults=成人=成年人 child=children=儿童=未成年人
home: domestic=国内=境内=行内=同行 international=overseas=境外=海外=跨境=跨行
days: weekdays=工作日 weekends=weekend=周末 holidays=节假日
direction: inbound=incoming=入站 outbound=outgoing=出站
backup: full=全量 incremental=增量
season: summer=夏季 winter=冬季
screen: tablet=平板 desktop=桌面端=桌面 phone=手机端
rank: primary=master=主库 secondary=replica=从库
side: frontend=前端 backend=后端
worker: full-time=全职 part-time=兼职
term: upload=上传 download=下载
"""
