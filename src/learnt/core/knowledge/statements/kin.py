"""Words that may stand for one another, English and Chinese, one sense a line.

Unlike a concept of `english` and `chinese`, a line has no opposite and no name, and a word may
stand in several: two words answer to each other where they have a line in common.
"""

from typing import Final

KIN: Final = """
hazardous dangerous risky perilous unsafe 危险 危化 高危
air plane aircraft flight airplane 空运 飞机 航空
road truck lorry 公路 卡车 陆运
rail train railway 铁路 火车
sea ship ocean vessel 海运 船舶 轮船
half 50% halve 一半 半数
twice double doubled duplicate 两倍 翻倍 加倍 两遍 两次
increase raise grow bump lift 上调 调高 增至 升至 提升 加大 涨到
decrease reduce lower cut 下调 调低 降至 缩小 减到
begin start commence onset kick-off 开始 起始 开头 启动
end finish stop conclude terminate complete 结束 终止 完成 完结 截止 收尾
gap hole missing break interruption 断档 缺口 缺失 空缺 中断
crawler spider scraper bot robot 爬虫 抓取程序 机器人
run execute launch start work operate 运行 执行 跑 工作 运作
worker process daemon agent 进程 守护进程 工作进程
worker employee staff colleague personnel 员工 人员
consumer subscriber listener reader 消费者 订阅者 消费端 消费组
producer publisher writer sender emitter 生产者 发布者 发送方
split partition shard divide separate 拆分 分片 分库 分表 拆 切分
sample example record item row instance 样本 样例 数据 记录 条目
training train learn fit 训练 训练集
model network classifier predictor 模型 网络
mark label tag annotate flag 标记 标注 打标 标签 标为
probe check healthcheck heartbeat 探针 探活 健康检查 心跳
liveness alive health 存活 活性 健康
crash restart loop die 崩溃 重启 挂掉 反复重启
replica copy instance node 副本 实例 节点
redirect forward route proxy relay pass 转发 重定向 路由 代理 转给 导向
block deny refuse reject stop intercept 拦截 拦住 阻止 挡住 拒绝 拦下
release free unlock give-back 释放 解锁 归还
recover restore heal resume recovery 恢复 还原 复原
undo revert rollback reverse 撤销 回退 回滚 还原
notice notify notification alert remind reminder 通知 提醒 告知 通报
announce publish inform tell 公告 宣布 公布 告知
void null invalidate lapse expire 作废 失效 过期 到期
effective valid active live 生效 有效 激活
visible see view read show look access 可见 看到 查看 浏览 访问
access permission right privilege role grant authorise 权限 授权 访问权
write edit modify update change 写 编辑 修改 更新 改动
name call title label 叫 命名 名称 名为 称为 命名为
named called known 名为 叫做 称作
screen page view ui interface dashboard 页面 界面 前端 屏幕 展示页
backend server service 后端 服务端 服务 后台
image picture photo snapshot screenshot 图片 照片 截图 图像
video clip footage stream 视频 录像
audio sound voice speech 音频 语音 声音
text copy wording string content 文本 文字 文案 内容
document doc file paper 文档 文件 资料
manual guide handbook runbook instructions 手册 指南 说明 教程
meeting call standup sync 会议 例会 开会
person people human individual man someone 人 个人 人员 人工
customer client buyer shopper guest user 客户 顾客 买家 用户
merchant seller vendor shop store 商户 商家 卖家 店铺 门店
supplier vendor provider manufacturer 供应商 厂商 供货方 提供方
partner affiliate ally reseller 合作方 伙伴 合作伙伴 渠道商 代理商
member subscriber user account 会员 用户 账号
team group squad crew department 团队 小组 部门 组
manager lead supervisor head boss chief 主管 经理 负责人 领导 组长
owner responsible maintainer keeper 负责人 维护者 归属 拥有者 归
own belong maintain responsible charge 负责 归 维护 管理 隶属 所属
approve sign-off authorise accept confirm permit 审批 批准 通过 同意 核准 签字
review inspect check audit examine 审查 复核 审核 评审 检查 审计
request ask apply application demand 申请 请求 要求 提出
submit send file hand-in enter 提交 递交 上交 报送
register enrol sign-up record 注册 登记 报名 备案
login signin authenticate session 登录 登入 认证 鉴权
logout signout exit leave 登出 退出 注销
password credential secret passphrase pin 密码 口令 凭证 密钥
key secret token credential 密钥 令牌 秘钥 凭据
token ticket pass credential jwt 令牌 凭证 票据
certificate cert tls ssl 证书 tls证书
encrypt cipher scramble encode 加密 密文
hash digest checksum fingerprint 哈希 散列 摘要 校验和 指纹
backup dump snapshot archive copy 备份 快照 转储 归档
archive store keep retain history 归档 留存 存档 历史库
retention lifetime ttl expiry keep period 保留期 有效期 存活时间 保存期 生命周期
keep retain hold preserve store save 保留 保存 留存 留着
purge clean clear delete wipe 清理 清除 删除 清空
bin trash recycle 回收站 垃圾箱
log journal trace record audit 日志 记录 流水 轨迹
metric measure indicator figure kpi gauge 指标 度量 数据
dashboard board panel chart report 看板 面板 大盘 仪表盘 报表
alert alarm page warning pager 告警 报警 预警 警报
incident outage failure downtime breakdown 故障 事故 宕机 中断 不可用
bug defect flaw error fault issue 缺陷 错误 问题 漏洞 毛病
cause reason source origin culprit trigger root 原因 根因 起因 源头 诱因 元凶
bottleneck constraint limit slow 瓶颈 限制 短板 慢在
slow lag latency delay sluggish late 慢 延迟 卡顿 迟缓 滞后 缓慢
fast quick rapid speed performance 快 迅速 高速 性能
freeze hang stuck stall block 卡死 卡住 挂起 冻结 假死
leak leakage drain 泄漏 泄露 外泄
exhaust deplete run-out full drained 耗尽 用完 打满 占满 用光 撑爆
full saturated busy overloaded 满 打满 饱和 过载 超载
garbled mojibake corrupt broken 乱码 损坏 错乱
lose drop missing lost vanish 丢失 丢 缺失 丢掉 不见
duplicate repeat double again twice 重复 两次 多次 重发 双份
dedup distinct unique deduplicate 去重 唯一 排重
conflict clash collide collision 冲突 碰撞 撞车 打架
race concurrent simultaneous contention 竞态 并发 竞争 同时
lock mutex semaphore latch 锁 互斥锁 分布式锁 加锁
deadlock lock wait block 死锁 锁等待
transaction commit tx 事务 提交
idempotent repeatable safe 幂等 可重入 防重
retry again repeat reattempt resend 重试 再试 重发 补发 重投
timeout expire limit deadline 超时 时限 超过时间
threshold limit cutoff boundary bound 阈值 门槛 界限 上限 临界值
limit quota cap ceiling maximum allowance 限额 配额 上限 额度 限制 封顶
rate frequency speed throughput qps 速率 频率 频次 速度 吞吐
throttle limit ratelimit restrict 限流 限速 节流 降速
queue backlog buffer pending 队列 堆积 积压 缓冲 排队
buffer cache store 缓冲 缓存 暂存
cache cached memoise 缓存 高速缓存
stale outdated old obsolete expired 过时 陈旧 旧的 过期 脏数据
refresh update renew reload 刷新 更新 续期 重新加载
renew extend prolong lengthen 续期 续费 续签 延长 延期
load read import pull ingest 加载 导入 读取 载入 装载
import ingest load upload 导入 录入 入库 接入
export dump extract download 导出 下载 抽取
sync synchronise replicate mirror 同步 复制 镜像
migrate move transfer port shift 迁移 搬迁 转移 挪到
convert transform translate map turn 转换 转成 换算 映射 转为
parse read interpret decode analyse 解析 读取 识别 解码
encode serialise write format 编码 序列化 写成
format layout form shape pattern 格式 形式 样式 版式
type kind class category sort 类型 种类 类别 分类
category class group kind 品类 类目 分类 类别
status state condition phase stage 状态 阶段 情形
code number identifier id 编码 编号 代码 号
column field attribute property 字段 列 属性
table relation entity 表 数据表
view projection materialised 视图 投影 物化视图
row record line entry tuple 行 记录 条
key identifier id primary 主键 键 标识 id
index lookup key 索引 下标
join link relate connect combine 关联 连接 联表 匹配
query select lookup search statement 查询 检索 搜索 语句
filter where condition restrict narrow 过滤 筛选 条件 缩小
sort order rank arrange 排序 次序 顺序 排名
sum total add aggregate compute 求和 合计 汇总 总计 累加
average mean avg 平均 均值
count number tally amount quantity 数量 计数 个数 笔数 条数 总数
share ratio percentage proportion part portion 占比 比例 百分比 份额 占
empty blank null none missing 空 空值 为空 空白
default standard preset normal 默认 缺省 标准 预设
optional voluntary 可选 选填 非必填
mandatory required compulsory must need 必填 必须 强制 必要
fixed constant hardcoded static pinned pin locked 固定 写死 锁定 锁死 常量
version release build edition 版本 发布版 版 发版
upgrade update bump newer 升级 更新 更换版本
install setup deploy add 安装 装 部署
deploy release rollout ship publish launch 部署 发布 上线 发版 投产
canary gradual staged gray rollout 灰度 金丝雀 分批 逐步
stop halt shut terminate kill 停止 停掉 关闭 终止 停
restart reboot bounce relaunch 重启 重新启动 重新拉起
start boot launch begin startup 启动 开机 拉起 起
merge combine unite consolidate 合并 并入 整合
branch trunk main master 分支 主干 主分支
commit push checkin submit 提交 推送
pipeline workflow ci build 流水线 构建 工作流
build compile package bundle 构建 编译 打包 打
package library dependency module 包 依赖 库 模块
plugin extension addon module 插件 扩展 组件
module component part unit 模块 组件 部件
script program tool command 脚本 程序 工具 命令
command instruction cli 命令 指令
flag option switch parameter argument setting 参数 选项 开关 配置项 标志
configuration setting option value parameter 配置 设置 参数 设定
variable parameter value constant 变量 参数
environment stage cluster 环境 集群
machine server host node box 机器 主机 服务器 节点 实例
cluster group pool fleet 集群 池 机群
pool set reservoir 池 连接池 线程池
thread worker process 线程 进程
memory ram heap 内存 堆
disk storage drive space volume 磁盘 硬盘 存储 空间
network connection link net line 网络 连接 链路 专线
firewall rule acl gateway 防火墙 规则 网关
address url link endpoint path 地址 链接 路径 网址
endpoint interface api route method 接口 端点 api 路由
call invoke request hit 调用 请求 访问
response answer reply result return 响应 返回 应答 结果
callback hook webhook notify 回调 钩子 通知
event message signal record 事件 消息 信号
topic channel stream subject queue 主题 通道 频道 队列
device terminal unit hardware 设备 终端 硬件
sensor probe meter detector gauge 传感器 探头 仪表 感应器
reading measurement value figure 读数 测量值 数值 示数
battery power charge energy 电池 电量 电力
voltage power volt 电压 伏
pressure force load 压力 负载
temperature heat thermal degree 温度 气温 体温
range span interval between window 范围 区间 区段 之间
interval period cycle frequency every 间隔 周期 频率 每隔
window period slot span 窗口 时段 时间窗
moment time point instant 时刻 时点 时间 时候
date day time timestamp 日期 时间 天 日子
timestamp epoch time unix 时间戳 时间
night nightly midnight overnight 夜间 凌晨 半夜 夜里 午夜
morning dawn early am 早上 凌晨 清晨 上午
afternoon evening pm late 下午 晚上 傍晚
weekend saturday sunday 周末 双休
holiday vacation leave festival 节假日 假期 休假 法定假日
year annual yearly 年度 每年 全年 一年
month monthly 月度 每月 月
quarter quarterly 季度 每季
fee charge price cost money tariff commission 费用 收费 价格 手续费 佣金 抽成
commission cut share fee 佣金 抽成 分成 提成
price cost amount money sum 价格 金额 单价 售价 款
pay payment settle paid payout transfer 支付 付款 打款 结算 付 出款
settle settlement clear reconcile 结算 清算 结账 对账
reconcile match compare balance 对账 核对 比对 平账
refund reimburse return credit 退款 退费 退还 退回 返还
return giveback send-back 退货 退回 归还 退换
discount reduction rebate promotion off 折扣 优惠 减免 满减 打折
free gratis complimentary waived 免费 免 不收费 不要钱 免除
fine penalty surcharge punish 罚款 罚金 违约金 滞纳金 扣罚
deduct subtract withhold minus 扣除 扣 减去 抵扣
deposit prepayment security bond 押金 保证金 定金 预付款
invoice bill receipt billing 发票 账单 票据 单据
tax vat duty levy 税 税费 增值税
contract agreement deal terms 合同 协议 合约
order purchase booking 订单 下单 单 采购
cancel withdraw revoke abort 取消 撤回 撤销 作废
delivery shipping dispatch transport shipment 配送 发货 运输 物流 派送
parcel package box shipment 包裹 快递 货物 箱子
container box crate 集装箱 箱 容器
warehouse store depot storage 仓库 库房 仓储 库
stock inventory supply 库存 存货 备货
goods product item article sku 商品 货品 产品 货物 单品
patient case person 患者 病人 病患
doctor physician clinician 医生 大夫 医师
hospital clinic ward 医院 诊所 院区
student pupil learner 学生 学员
teacher tutor lecturer instructor 教师 老师 讲师
class course lesson 课程 班级 课 课时
exam test quiz 考试 测验 测试
grade score mark point 分数 成绩 得分 评分 积分
game match round session 游戏 对局 比赛 局
player user gamer 玩家 用户
level rank tier grade 等级 级别 段位 层级
vehicle car automobile truck 车辆 汽车 车
driver rider courier 司机 骑手 快递员
trip ride journey tour route 行程 路线 旅程
map location position place 地图 位置 地点 坐标
postcode zip postal 邮编 邮政编码
country state nation region 国家 地区 区域
region zone area district 区域 大区 地区 可用区
branch office site store location 网点 分公司 门店 站点
language locale translation 语言 语种 本地化
character letter symbol sign 字符 字母 符号
digit number numeric 数字 数值
uppercase capital caps 大写
lowercase small 小写
length size width long 长度 长 位数
size volume weight amount 大小 体积 尺寸 容量
capacity volume size room 容量 空间
weight mass heavy gram 重量 体重 克重
comma delimiter separator 逗号 分隔符
quote quotation 引号
precision accuracy exact decimal 精度 准确率 小数
round truncate 取整 舍入 四舍五入
overflow exceed wrap 溢出 超出 越界
exceed surpass over beyond above 超过 超出 大于 高于 多于
remain rest left remaining 剩余 余下 剩下
extra additional more spare further 额外 另外 附加 多余
separate independent own dedicated isolated 独立 单独 隔离 专用 分开
shared common joint public 共享 共用 公共 公用
directly straight immediately direct 直接 立即
only solely exclusively just alone 只 仅 只有 仅仅 唯一
together jointly both combined 一起 共同 同时 一并
instead replace substitute swap 代替 替换 替代 取代 换成
replace swap exchange substitute 替换 更换 换 调换 置换
previous preceding former earlier last 之前 上一 前一 先前 上次
next following subsequent later 下一 次 随后 之后 后一
final last closing ultimate 最后 最终 末 收尾
planned scheduled intended expected 计划 预定 预期 原定
actual real true effective 实际 真实 真正 事实
current present active latest now 当前 目前 现在 最新
newest latest recent last 最新 最近 最后
history past old historic previous 历史 过往 以往 旧
scheduled timed cron periodic automatic 定时 计划任务 周期性 自动
manual hand human person 手动 人工 手工
batch bulk mass 批量 成批 批 批次
single one individual sole alone 单个 单一 一个 单
first initial earliest beginning 首 首次 第一 最早 头
late delayed overdue tardy 迟到 晚 晚到 逾期 延迟
advance early ahead beforehand 提前 预先 事先
copy place put move 复制 拷贝 放 挪
skip ignore bypass omit jump 跳过 忽略 略过 绕过
hide mask conceal cover redact 隐藏 遮盖 脱敏 掩码
touch change edit modify 动 碰 修改 改动
protect guard secure safe 保护 防护 安全
verify check validate confirm test 校验 验证 核验 核实 检查
test trial experiment try 测试 试验 试 实验
compare match equal check 比较 对比 比对
contain hold include carry have 包含 含有 带有 装
carry bear contain hold 携带 带 承载
belong part member 属于 归属 归
rely depend based need 依赖 取决于 依靠 基于 决定
decide determine depend choose 决定 取决于 判断 判定
choose select pick elect 选择 挑选 选 选取
happen occur arise appear 发生 出现 产生
finish complete done ready 完成 结束 做完 就绪
wait pause sleep hold 等待 等 暂停
cost take spend consume 耗时 花费 消耗 花
consume use burn spend 消耗 占用 用掉
grow rise climb increase 增长 上涨 上升 涨
fall drop decline sink 下降 跌 回落 降
pay bear cover afford 承担 支付 负担 出钱 买单
collect gather harvest capture 采集 收集 抓取
measure gauge meter record 测量 计量 检测
report state say show tell 上报 报告 显示 汇报
print output write emit 打印 输出 写出
produce generate make create emit 生成 产生 产出 生产
bare plain mere simple raw 裸 纯 单纯 原始
raw original source unprocessed 原始 未处理 原文
source origin upstream 来源 上游 源 数据源
target destination downstream sink 目标 下游 目的地
upstream parent source 上游 父
child sub nested inner 子 子级 下级
parent super outer base 父 父级 上级
"""

OPPOSITES: Final = """
party: sender consignor 寄件人 发件人 发货人 寄件方 发送方 \
| recipient receiver consignee addressee 收件人 收货人 收件方 接收方
inbound: inbound incoming ingress 入站 进站 | outbound outgoing egress 出站
import: import imports 导入 | export exports 导出
shade: light 浅色 亮色 | dark 深色 暗色
debit: debit debited 借方 | credit-side 贷方
expand: expanded unfolded 展开 | collapsed folded 折叠 收起
upright: portrait 竖屏 竖版 | landscape 横屏 横版
capital: uppercase capital capitals 大写 | lowercase 小写
single: single singular 单个 单一 单值 一个值 单选 \
| multiple several many plural 多个 多值 多种 多选
inner: inner 内连接 | outer 外连接
eager: eager eagerly 预加载 饿汉 | lazy lazily 懒加载 延迟加载 按需加载
indent: tab tabs 制表符 | space spaces 空格
relative: relative 相对 | absolute 绝对
active-side: 主动 | 被动
explicit: explicit explicitly 显式 | implicit implicitly 隐式
exact: exact precise 精确 精准 | fuzzy approximate 模糊 近似
home: domestic 国内 境内 | foreign overseas abroad international 国外 境外 海外 国际
first-rank: primary 主用 首选 | secondary standby 备用 次选
listed: whitelist allowlist 白名单 | blacklist denylist blocklist 黑名单
improve: improve improved better 改善 好转 变快 提速 变好 | worsen degrade worse 恶化 变差 变慢 劣化
linear: linear linearly 线性 | exponential exponentially 指数级
forward: forward forwards 向前 | backward backwards 向后
monolith: monolith monolithic 单体 | microservice microservices 微服务
season: summer 夏季 夏令时 夏天 | winter 冬季 冬令时 冬天
month-end: 月初 | 月末 月底
year-end: 年初 | 年末 年底
jointly-used: 共享 共用 公用 合用 | 独占 独享 各自独立
open-source: open-source opensource 开源 | proprietary closed-source 闭源
self-hosted: self-hosted on-premise on-premises 自建 自托管 本地部署 | managed saas 全托管 云托管
spread: centralised centralized 集中式 | distributed decentralised decentralized 分布式
early: 早于 提早 | 晚于 推后
hop: 往返 双向 | 单程 单向
daylight: 白天 日间 | 夜间 凌晨 半夜 夜里
rendered: server-side ssr 服务端渲染 | client-side csr 客户端渲染
tight: tight tightly 紧 | loose loosely 松
halved: halve halved 减半 砍半 | double doubled 翻倍 翻番 加倍
verbose: verbose 详细 | quiet silent 静默
"""
