"""What each word weighs, by `python -m benchmarks.worthless --fit`: above 0 against worth."""

from typing import Final

TABLE: Final[dict[float, str]] = {
    -2.0: """
        bucket device eur months our own per raw when_the 会被
        位是 保留 只能 小程 时要 最多 自动 要用 超过
    """,
    -1.9: """
        and_not because_the bom daily prices proto unless
        valid 发票 每天 类型
    """,
    -1.8: """
        came devices ios local net postgres sales takes 即可
        手动 超出
    """,
    -1.7: """
        below body cookie current driver during edge gets
        lab snapshot stack tag 不会 不含 会把 要先 触发
    """,
    -1.6: """
        bin broker came_from firmware for_days fx labels mb
        more_than ones otherwise_the price_history refresh
        sent tenants than the_last their utc 以上 全量 每周 生效 租户
    """,
    -1.5: """
        card doesn't event feed frame frozen gen geo had
        ignores its_own no older_than only pg pos quote
        raised site sum the_app the_legacy trace uid 一天 上限
        不然 代理 会丢 允许 凌晨 分片 发货 取值 只读 商户 固定 每个 率时 签收 要加 要手
    """,
    -1.4: """
        alarm amounts breaks calendar cold consumers credit
        field goods levels limited loki mqtt oracle oss ota
        otherwise parcel parent patients poetry prod push
        reach rejected reserved room row_in shift starts
        those times ui unless_the utf wallet 不在 中心 低于 假日 冷链
        务端 包要 区分 司机 否则 在线 夜间 微信 期间 机器 标签 正常 登记 禁止 能用 节假 键是
        须先
    """,
    -1.3: """
        api_keys at_once balance can_frame carry cents chat
        claims clock days debug depth drivers drops flutter
        goes gold grpc hz ignored ingest ip is_set jwt
        ledger_entries limited_to locale meta meter month
        moves mq negative network nodes page_views paid
        partitions planner plugin portal printed priority
        qps qty range readings remove route scans seed
        stopped sub sunday the_base the_bucket trade
        transaction vault vehicle view xcode yarn yocto 一张
        万条 们的 会自 关闭 其中 内部 副本 后台 后消 周五 周日 商家 在周 境的 天的 存储 就是
        序列 当天 必须 快照 成的 截断 排序 效期 时先 时钟 时长 是每 每月 统计 续期 自然 计费
        设置 路由 返回 锁定
    """,
    -1.2: """
        ci day even if_the minutes must_be names pod rate
        since_the terraform the_api 不到 同一 因是 字符 客户
    """,
    -1.1: """
        above_eur adb after_each app_json audit_trail
        available bigquery bookings but_not by_hand ca
        carry_the channel compose day_of docker_compose
        dropped dt during_the econnreset erp es eu except
        expire filter_on finance free freight from_the
        garbage given harbor hours id in_raw index_is
        ingress internal it_with jest june kind letters lint
        linux loads loyalty manager midnight migrate mirror
        mongo night ocr october optional output path
        purchase random rate_of rebuilt repo reports
        reserved_for reverse rule sale save seat security
        serial setting silently simulator spark speed stays
        stock stores subscription takes_minutes telemetry
        the_current the_dashboard the_device the_next
        the_simulator their_own there's topic track trail tz
        unity unlock valid_for waybill wms workspace 一分 万行
        上传 不支 不走 事件 代表 份证 会因 传到 关掉 写在 分钟 分钱 前必 加载 务的 包裹 匹配
        单不 后正 含税 因为 多出 大于 安卓 审批 就不 左右 库时 延迟 志里 户端 手工 批次 报错
        改用 数字 是自 最新 最长 有两 根因 格式 模式 海关 清零 游戏 灰度 电子 的主 的用 的请
        看板 离线 程序 签名 联合 药品 表里 要在 证书 语音 读数 调到 账差 身份 运费 逾期 采样
        门店 阶段 降到 限是 零点 静默 验签 骑手
    """,
    -1.0: """
        because country history leaves limit patient plan
        set shipping up_to value 只在 小时 平台 消息 账号
    """,
    -0.9: """
        action addr after asr audit badge bastion beyond
        billed billing blocked blood body_size bom_item
        booking bound bundle campaign cannot cert chain
        cmake codes column_of compiled computed
        configuration_cache converted cors crashes cuda
        daily_sales database_is date dbt deleted_at don't
        down_to drain drug dwd dynamodb ecg effect eight eta
        events_raw except_for expire_at express fee fields
        figures flash flyway for_good fx_rate gb geo_db
        get_the gmv gpu grades gross growth handed hangs
        have_no hb head headers hourly id_in id_the ids if
        ignition in_cents in_ci in_loki in_proto in_vault
        includes ini is_kept issued its kafka key key_in
        keychain keys kg kilograms kiosk km kpi labelled
        lacks laptops large libtile lock locked lost lots
        loyalty_points macos media_origin members mes
        messages meter_reading meters months_after must mypy
        namespace no_more not_by not_in not_the nullable obs
        of_an offset on_it orders_are partition pays pick
        picks platform player plus prometheus protobuf pt
        pytest queries_on quiet quiet_hours rabbitmq raw_ecg
        reach_the refreshed released remote remote_cache
        require requires restart revenue revenue_kpi
        rollback rounded row_per ruff run_in safari samesite
        scratch search_after security_unlock segments
        sellers sensor shadow shorter shorter_than shows_up
        six size slot sn sonarqube spec spool staff
        starts_at status_tinyint stay tenant terraform_plan
        than_months the_application the_edge the_engine
        the_first the_generated the_key the_kiosk the_lab
        the_net the_previous the_revenue threads tiles
        time_zone to_mb to_on tokens torch trace_id trips
        tsc unique unlock_keychain until_the user_id uses
        values var_spool vat ver visit visits weather
        weather_obs whose windows without_it xcodebuild 七天
        不再 不带 不是 不计 两位 个人 中文 买家 仓库 会超 传小 传感 作日 先在 关单 内不 再执
        写进 冻结 分之 分数 分母 分表 列化 列是 刷新 前一 前要 剔除 动时 包时 单个 单号 压缩
        去重 发布 同城 后稳 周期 品的 国内 在启 埋点 天无 存的 定在 对账 峰值 开启 开头 归属
        当日 心跳 感器 手机 打到 承担 按月 提现 数时 无理 明文 是内 是分 是因 是没 显示 普通
        有效 机时 机的 板机 次日 每分 永久 消费 滚动 点前 现金 理由 瓶颈 的原 直播 看不 窗口
        签失 算时 统自 节点 落库 要关 视图 解析 计入 计日 认不 记得 设备 课程 调验 负数 败的
        资源 路径 跳板 车辆 轨迹 远程 造成 里查 重建 链订 销售 间隔 阈值 预售
    """,
    -0.8: """
        amount cdn database dim filter from_to generated
        hand item jobs made max older once origin packages
        parcels partner payments pnpm runs since type under
        use uses_the web zone 上报 单独 只有 图片 版本 申请 的分 统一 覆盖 超时
        队列
    """,
    -0.7: """
        already by characters counts default due from in_the
        index inventory is_null isn't it's kb last latest
        legacy means_the mock on_the read replica schema
        started they vite webpack window within 不用 不能 分区 压测
        实例 才会 改为 校验 登录 的是 符串 过滤 部分 里的 限制 集群 默认
    """,
    0.7: """
        acct agent any_more applied are_now aws_credentials
        been behind bit branch budget call caused_by cd
        column comes control credentials csv delete_the
        differently does_not dropping earlier error errors
        eslint evening excel find finish flag foreign found
        four french going has_been have_to here high highest
        images it_in lines lives memory_leak money needed
        none not_found nothing_to now object objects
        of_which once_the other package_json paused
        permission port post pr pricing primary_key race
        records refunds rest return roughly send services
        skipped slow spent sql stands statements stored
        suite switch that_is the_docker the_docs the_highest
        the_invoice the_nightly the_primary the_result
        the_tax the_whole the_year there_is to_end up_the
        updated_at vpn warning way webhook which_the whoever
        whole 一定 一致 三点 不过 个分 为最 以前 会有 体积 作废 停止 出来 删掉 加一 升到
        半小 声明 备份 存放 安装 定位 密码 应当 引用 张表 打印 排队 提示 改了 无法 明细 是渠
        有序 来是 死锁 每次 水线 清空 然后 的工 看到 确认 端口 第二 算法 脚本 范围 计算 试用
        质量 还要 进程 道号 都不 错了 隔离
    """,
    0.8: """
        about holds into memory module name retry still user
        work 一遍 三个 不要 错误
    """,
    0.9: """
        address caused contains create data does help
        into_the number_of project pull the_time to_do ts
        whenever write years 一起 价格 修改 已经 所有 用于 配置 重试
    """,
    1.0: """
        approve cases changes_in come_from configuration css
        dev_server do_with dockerfile for_it friday function
        git ignore layers let move msg npm process quality
        sandbox settings tcp test the_migration the_new
        the_scheduler though ticket took tree warnings 不够 主要
        依赖 写的 分支 发现 存不 定时 方案 时任 最后 等待 结果 网络 起来 还在 释放 重写
    """,
    1.1: """
        do do_not docs green it_is left main nobody query
        rules where 不同 据库 测试 耗时 过了
    """,
    1.2: """
        checks connect edited flaky foreign_key look payment
        ran several something team tests the_cache the_dev
        the_project where_the working 关的 单元 变量 命名 大概 导致 工具
        操作 有一 流程 涉及 用了 用来 还有 需要
    """,
    1.3: """
        commit service 以后 完成 成了 提交 通过
    """,
    1.4: """
        agents as_of attention balancer be_done before_you
        bug built clear command conflicts connection
        connection_pool couldn't demo develop drop env
        environment everyone faster from_now guess installed
        is_still is_that jenkins load_balancer looked md
        moving on_to performance please renders right
        seems_to should somebody someone step tests_are
        thanks the_checkout the_feature the_flaky the_load
        the_payment the_release the_vendor the_webhook
        to_have total variable vue warn well words 上线 下次 下面
        不足 两个 了两 什么 保存 决了 到下 功能 加了 务器 口用 后端 存泄 完了 客服 影响 情况
        最高 模块 用例 的问 继续 编译 能为 致性 计划 试环 还没 逻辑 问题
    """,
    1.5: """
        another done tables that_the there_are 应该 成功 用户
    """,
    1.6: """
        acme ask cart changed_the changing few http issues
        java lang lists morning opened pull_request red says
        the_column the_configuration the_team today unused
        产品 元测 关系 后面 当前 掉了 是指 是网 泄漏
    """,
    1.7: """
        answer should_be went what who you
    """,
    1.8: """
        give holds_the how info items looks pid py python
        seems the_repository 下个 使用 信息 改动 比较 注意 的地 这个 面的
    """,
    1.9: """
        about_the everything question really reply
        repository some will 找到
    """,
    2.0: """
        asked be_the better certain checked clean com
        com_acme commits contains_the could could_be
        documentation drwxr drwxr_xr failing finished folder
        functions handled happy haven't id_name in_this
        is_to it_might it_was java_at java_lang know likely
        maybe me might might_be moment my need_to nice note
        ok on_this over_the passed perhaps presumably print
        probably readme src sure the_data the_moment
        the_tests the_user things this this_note this_one
        went_through whenever_you whether whether_the why
        would xr you_are your 一下 一些 下午 不太 个单 个文 个类 了一 了三 今天
        代码 先看 内容 写得 刚才 剩余 单测 可能 告诉 回复 回答 地方 大家 得很 得真 性能 感谢
        户表 打算 把这 按钮 文档 时候 有关 条记 正在 清楚 用时 的代 看了 能是 记忆 设计 评审
        诉用 说不 跑了 运维 这块 这条 这次 部通 重构
    """,
}
